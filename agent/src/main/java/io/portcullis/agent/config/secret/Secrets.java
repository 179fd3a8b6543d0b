package io.portcullis.agent.config.secret;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Collects the known secret values and removes them from any text. A secret that is replaced stays
 * known.
 */
public final class Secrets {
  /**
   * Shorter secrets are ignored: they occur by chance, and stars in the middle of ordinary words
   * would reveal them.
   */
  private static final int MIN_LENGTH = 4;

  /**
   * From this length on, a secret is removed everywhere. A shorter secret is removed only as a
   * whole word: inside a longer word it is part of that word, and stars would both garble the word
   * and reveal the secret.
   */
  private static final int MIN_LENGTH_INSIDE_WORDS = 12;

  private static final String NO_LETTER_BEFORE = "(?<![\\p{L}\\p{N}])";
  private static final String NO_LETTER_AFTER = "(?![\\p{L}\\p{N}])";

  private final Set<String> known = new LinkedHashSet<>();

  public synchronized void learn(String secret) {
    if (secret.length() >= MIN_LENGTH) {
      known.add(secret);
    }
  }

  /** Adds what is secret in a value of the configuration. */
  public void learnFrom(String key, String value) {
    if (SecretRedaction.isSecretKey(key)) {
      learn(value);
    }
    for (String hidden : SecretRedaction.hiddenIn(value)) {
      learn(hidden);
    }
  }

  public synchronized String scrub(String text) {
    String scrubbed = text;
    if (known.isEmpty()) {
      return text;
    }
    for (String secret :
        known.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList()) {
      scrubbed =
          secret.length() >= MIN_LENGTH_INSIDE_WORDS
              ? scrubbed.replace(secret, SecretRedaction.STARS)
              : asWholeWord(secret).matcher(scrubbed).replaceAll(SecretRedaction.STARS);
    }
    return scrubbed;
  }

  private static Pattern asWholeWord(String secret) {
    return Pattern.compile(NO_LETTER_BEFORE + Pattern.quote(secret) + NO_LETTER_AFTER);
  }
}
