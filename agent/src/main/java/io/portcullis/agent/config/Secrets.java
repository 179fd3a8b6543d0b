package io.portcullis.agent.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** What is known to be secret, so that it can be taken out of any text. Secrets may be replaced. */
final class Secrets {
  /**
   * Shorter ones are not looked for: they occur by chance, and stars in the middle of ordinary
   * words would tell what they are.
   */
  private static final int MIN_LENGTH = 4;

  /**
   * From this length on a secret is taken out wherever it stands. A shorter one goes only where it
   * stands by itself: within a longer word it is that word, and stars would both spoil the word and
   * tell the secret.
   */
  private static final int UNMISTAKABLE = 12;

  private static final String LETTER_BEFORE = "(?<![\\p{L}\\p{N}])";
  private static final String LETTER_AFTER = "(?![\\p{L}\\p{N}])";

  private final Set<String> known = new LinkedHashSet<>();

  synchronized void learn(String secret) {
    if (secret.length() >= MIN_LENGTH) {
      known.add(secret);
    }
  }

  /** Learns every secret that the tree holds in the open. */
  void learnFrom(ConfigNode node) {
    if (node instanceof ConfigSection section) {
      learnFromAll(section.children().values());
    } else if (node instanceof ConfigNode.Listing listing) {
      learnFromAll(listing.items());
    } else if (node instanceof ConfigNode.Leaf leaf && leaf.value() instanceof String text) {
      if (SecretRedaction.isSecretKey(leaf.path())) {
        learn(text);
      }
      for (String hidden : SecretRedaction.hiddenIn(text)) {
        learn(hidden);
      }
    }
  }

  private void learnFromAll(Collection<ConfigNode> nodes) {
    for (ConfigNode node : nodes) {
      learnFrom(node);
    }
  }

  synchronized String scrub(String text) {
    String scrubbed = text;
    if (known.isEmpty()) {
      return text;
    }
    for (String secret :
        known.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList()) {
      scrubbed =
          secret.length() >= UNMISTAKABLE
              ? scrubbed.replace(secret, SecretRedaction.STARS)
              : alone(secret).matcher(scrubbed).replaceAll(SecretRedaction.STARS);
    }
    return scrubbed;
  }

  private static Pattern alone(String secret) {
    return Pattern.compile(LETTER_BEFORE + Pattern.quote(secret) + LETTER_AFTER);
  }
}
