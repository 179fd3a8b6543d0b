package io.portcullis.agent.config;

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
import io.portcullis.agent.config.ConfigProblems.ProblemLocation;
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
 * Fills in {@code ${…}} from the file itself and from the environment. One that is nowhere is
 * reported, and stood in for by a mark, so that the search goes on and finds the others.
 */
final class Substitutions {
  private static final String MARK = "\uE000";
  private static final int MAX_COUNT = 100;
  private static final Pattern NAME = Pattern.compile("\\$\\{([^}]*)}");

  private final OriginLookup origins;
  private final ConfigProblems problems;

  Substitutions(OriginLookup origins, ConfigProblems problems) {
    this.origins = origins;
    this.problems = problems;
  }

  static boolean isUnresolved(@Nullable String value) {
    return value != null && value.contains(MARK);
  }

  /** The tree with everything filled in; null if there is no end to it. */
  @Nullable ConfigObject resolved(ConfigObject root, Map<String, String> environment) {
    Map<String, Object> variables = new HashMap<>();
    environment.forEach(
        (name, value) ->
            variables.put(name, ConfigValueFactory.fromAnyRef(value, OriginLookup.variable(name))));
    // What the file says is stronger; a key of the file is never filled up from a variable.
    variables.keySet().removeAll(root.keySet());
    Config all =
        root.toConfig()
            .withFallback(
                ConfigFactory.empty().root().withFallback(ConfigValueFactory.fromMap(variables)));
    SubstitutionUses references = SubstitutionUses.in(root, origins::place);
    Set<String> missing = new HashSet<>();
    while (missing.size() < MAX_COUNT) {
      try {
        return all.resolve(
                ConfigResolveOptions.noSystem().appendResolver(new StandIn(missing, null)))
            .root();
      } catch (ConfigException.UnresolvedSubstitution e) {
        String said = String.valueOf(e.getMessage());
        Matcher name = NAME.matcher(said);
        ProblemLocation spot = new ProblemLocation(origins.place(e), "", null);
        if (!name.find()
            || said.contains("cycle of substitutions")
            || !missing.add(name.group(1))) {
          problems.refuse(spot, "a substitution refers to itself in a circle; break it");
          return null;
        }
        problems.refuse(
            new ProblemLocation(spot.place(), references.keyOf(name.group(1), spot.place()), null),
            "${"
                + name.group(1)
                + "} is neither a key of this file nor a variable of the environment; set it, or"
                + " write ${?"
                + name.group(1)
                + "} if it may be missing");
      } catch (ConfigException e) {
        // The parser would quote both values, and one may be a secret.
        problems.refuse(
            new ProblemLocation(origins.place(e), "", null),
            "is joined with a value of another kind; a text, a list and a section don't mix");
        return null;
      }
    }
    return null;
  }

  private record StandIn(Set<String> missing, @Nullable ConfigResolver next)
      implements ConfigResolver {
    @Override
    public @Nullable ConfigValue lookup(String path) {
      if (missing.contains(path)) {
        return ConfigValueFactory.fromAnyRef(MARK, OriginLookup.variable(path));
      }
      return next == null ? null : next.lookup(path);
    }

    @Override
    public ConfigResolver withFallback(ConfigResolver fallback) {
      return new StandIn(missing, fallback);
    }
  }

  /** Which key holds which {@code ${…}}, found before they are filled in. */
  static final class SubstitutionUses {
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
}
