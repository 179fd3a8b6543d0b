package io.portcullis.agent.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Which key holds which {@code ${…}}, found before they are filled in. */
final class SubstitutionUses {
  /** A value with a substitution in it, as it is written. */
  private record Use(ValueOrigin place, String key, String written) {}

  private final Function<ConfigOrigin, ValueOrigin> places;
  private final List<Use> uses = new ArrayList<>();

  private SubstitutionUses(Function<ConfigOrigin, ValueOrigin> places) {
    this.places = places;
  }

  static SubstitutionUses in(ConfigObject root, Function<ConfigOrigin, ValueOrigin> places) {
    SubstitutionUses found = new SubstitutionUses(places);
    found.walk("", root);
    return found;
  }

  private void walk(String key, ConfigValue value) {
    try {
      if (value instanceof ConfigObject section) {
        for (Map.Entry<String, ConfigValue> entry : section.entrySet()) {
          walk(key.isEmpty() ? entry.getKey() : key + "." + entry.getKey(), entry.getValue());
        }
      } else if (value instanceof ConfigList list) {
        for (ConfigValue item : list) {
          walk(key, item);
        }
      } else if (value.render().contains("${")) {
        uses.add(new Use(places.apply(value.origin()), key, value.render()));
      }
    } catch (ConfigException.NotResolved e) {
      // Sections laid over each other by a substitution: what is in them can't be listed yet.
    }
  }

  /** The key that refers to {@code name} at this place; empty if it can't be told. */
  String keyOf(String name, ValueOrigin place) {
    return uses.stream()
        .filter(use -> use.place().equals(place) && use.written().contains("${" + name + "}"))
        .findFirst()
        .map(Use::key)
        .orElse("");
  }
}
