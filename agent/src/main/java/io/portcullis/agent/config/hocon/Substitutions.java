package io.portcullis.agent.config.hocon;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigResolver;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves substitutions {@code ${…}} from the file itself and from the environment. A missing one
 * is reported and replaced by a marker, so that resolving continues and finds the others.
 */
final class Substitutions {
  private static final String MARKER = "\uE000";
  private static final int MAX_COUNT = 100;
  private static final Pattern NAME = Pattern.compile("\\$\\{([^}]*)}");

  private final OriginLookup origins;
  private final ConfigProblems problems;

  Substitutions(OriginLookup origins, ConfigProblems problems) {
    this.origins = origins;
    this.problems = problems;
  }

  static boolean isUnresolved(@Nullable String value) {
    return value != null && value.contains(MARKER);
  }

  /** Resolves all substitutions; returns null if they can't be resolved even with markers. */
  @Nullable ConfigObject resolved(ConfigObject root, Map<String, String> environment) {
    Map<String, Object> variables = new HashMap<>();
    environment.forEach(
        (name, value) ->
            variables.put(name, ConfigValueFactory.fromAnyRef(value, OriginLookup.variable(name))));
    // Keys of the file take precedence; a section of the file is never merged with a variable.
    variables.keySet().removeAll(root.keySet());
    Config all =
        root.toConfig()
            .withFallback(
                ConfigFactory.empty().root().withFallback(ConfigValueFactory.fromMap(variables)));
    SubstitutionUses uses = SubstitutionUses.in(root, origins::place);
    Set<String> missing = new HashSet<>();
    while (missing.size() < MAX_COUNT) {
      try {
        return all.resolve(
                ConfigResolveOptions.noSystem().appendResolver(new MarkerResolver(missing, null)))
            .root();
      } catch (ConfigException.UnresolvedSubstitution e) {
        String message = String.valueOf(e.getMessage());
        Matcher name = NAME.matcher(message);
        ProblemLocation location = new ProblemLocation(origins.place(e), "", null);
        if (!name.find()
            || message.contains("cycle of substitutions")
            || !missing.add(name.group(1))) {
          problems.refuse(location, "the substitutions form a cycle; remove one of them");
          return null;
        }
        problems.refuse(
            new ProblemLocation(
                location.place(), uses.keyOf(name.group(1), location.place()), null),
            "${"
                + name.group(1)
                + "} is neither a key of this file nor an environment variable; set it, or write"
                + " ${?"
                + name.group(1)
                + "} if it may be missing");
      } catch (ConfigException e) {
        // The parser's message quotes both values, and one may be a secret.
        problems.refuse(
            new ProblemLocation(origins.place(e), "", null),
            "is concatenated with a value of another type; a string, a list and a section can't be"
                + " combined");
        return null;
      }
    }
    return null;
  }

  private record MarkerResolver(Set<String> missing, @Nullable ConfigResolver next)
      implements ConfigResolver {
    @Override
    public @Nullable ConfigValue lookup(String path) {
      if (missing.contains(path)) {
        return ConfigValueFactory.fromAnyRef(MARKER, OriginLookup.variable(path));
      }
      return next == null ? null : next.lookup(path);
    }

    @Override
    public ConfigResolver withFallback(ConfigResolver fallback) {
      return new MarkerResolver(missing, fallback);
    }
  }

  /** Finds the key that contains a substitution; built before substitutions are resolved. */
  static final class SubstitutionUses {
    /** A value with a substitution, as written in the file. */
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
        // A section merged with a substitution: its keys can't be listed before it is resolved.
      }
    }

    /** The key that refers to {@code name} at this place; empty if unknown. */
    String keyOf(String name, ValueOrigin place) {
      return uses.stream()
          .filter(use -> use.place().equals(place) && use.written().contains("${" + name + "}"))
          .findFirst()
          .map(Use::key)
          .orElse("");
    }
  }
}
