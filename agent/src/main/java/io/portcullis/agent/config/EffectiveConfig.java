package io.portcullis.agent.config;

import io.portcullis.agent.config.AgentConfig.EffectiveValue;
import io.portcullis.agent.config.hocon.ConfigNode;
import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.secret.SecretRedaction;
import io.portcullis.agent.config.secret.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Collects every effective value with its origin, secrets redacted. */
final class EffectiveConfig {
  private final Secrets secrets;
  private final List<EffectiveValue> values = new ArrayList<>();

  EffectiveConfig(Secrets secrets) {
    this.secrets = secrets;
  }

  /** Adds the values of a section, and the defaults of keys that are not set. */
  void add(ConfigSection set, ConfigSection reference) {
    TreeSet<String> keys = new TreeSet<>(set.children().keySet());
    keys.addAll(reference.children().keySet());
    for (String key : keys) {
      ConfigNode own = set.get(key);
      ConfigNode standard = reference.get(key);
      if (own instanceof ConfigSection || standard instanceof ConfigSection) {
        add(set.section(key), reference.section(key));
      } else if (own != null && !own.isUnset()) {
        add(own.path(), own);
      } else if (standard != null && !standard.isUnset()) {
        add(set.pathOf(key), standard);
      }
    }
  }

  private void add(String key, ConfigNode node) {
    String shown = shown(key, node);
    if (node instanceof ConfigNode.Listing listing) {
      shown =
          SecretRedaction.isSecretKey(key)
              ? SecretRedaction.STARS
              : listing.items().stream()
                  .map(item -> item instanceof ConfigSection ? "{…}" : shown(key, item))
                  .toList()
                  .toString();
    }
    values.add(new EffectiveValue(key, secrets.scrub(shown), node.place()));
  }

  private static String shown(String key, ConfigNode node) {
    return SecretRedaction.shown(key, String.valueOf(node.written()));
  }

  List<EffectiveValue> list() {
    return List.copyOf(values);
  }
}
