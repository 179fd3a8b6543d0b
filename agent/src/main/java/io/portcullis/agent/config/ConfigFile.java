package io.portcullis.agent.config;

import com.typesafe.config.ConfigObject;
import io.portcullis.agent.config.ConfigProblems.ProblemLocation;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The file as it stands, before any override.
 *
 * @param path the file
 * @param name the file as it was named
 * @param all the file and those that it includes
 * @param portcullis all that is set within {@code portcullis { }}
 */
record ConfigFile(Path path, String name, List<Path> all, ConfigSection portcullis) {
  static final String ROOT = "portcullis";

  /** Null if it was refused. */
  static @Nullable ConfigFile read(
      ConfigSource source, List<String> ownKeys, ConfigProblems problems) {
    ConfigFileLocator location = ConfigFileLocator.of(source);
    ProblemLocation whole = new ProblemLocation(ValueOrigin.file(location.name(), 0), "", null);
    Path path;
    try {
      path = location.in(source.folder());
    } catch (TextFile.UnreadableFileException e) {
      problems.refuse(whole, "the configuration " + e.why() + " (" + location.why() + ")");
      return null;
    }
    OriginLookup origins = new OriginLookup();
    HoconParser parser = new HoconParser(origins, problems);
    ConfigObject parsed = parser.parse(path, location);
    if (parsed == null) {
      return null;
    }
    ConfigObject resolved =
        new Substitutions(origins, problems).resolved(parsed, source.environment());
    if (resolved == null) {
      return null;
    }
    // What else there is are the variables of the environment.
    ConfigSection all =
        new ConfigTreeBuilder(origins::place).section("", resolved, parsed.keySet());
    refuseStrays(all, ownKeys, problems);
    return all.get(ROOT) instanceof ConfigSection root
        ? new ConfigFile(path, location.name(), parser.files(), root)
        : noRoot(all, whole, problems);
  }

  private static @Nullable ConfigFile noRoot(
      ConfigSection all, ProblemLocation whole, ConfigProblems problems) {
    ConfigNode wrong = all.get(ROOT);
    problems.refuse(
        wrong == null ? whole : wrong.spot(),
        "there is no section portcullis; write everything inside portcullis { … }");
    return null;
  }

  /** Other names at the top may serve substitutions; a key of ours there would be lost. */
  private static void refuseStrays(
      ConfigSection all, List<String> ownKeys, ConfigProblems problems) {
    for (Map.Entry<String, ConfigNode> entry : all.children().entrySet()) {
      String key = entry.getKey();
      ProblemLocation spot = entry.getValue().spot();
      if (ownKeys.contains(key)) {
        problems.refuse(
            spot, "stands outside portcullis { … } and would not be read; move it inside");
      } else if (!key.equals(ROOT) && KeySuggestion.nearest(key, List.of(ROOT)).isPresent()) {
        problems.refuse(spot, "unknown section; did you mean portcullis?");
      }
    }
  }

  /**
   * Which file to read, and who says so.
   *
   * @param name the file as it was named
   * @param why who named it, for people
   */
  record ConfigFileLocator(String name, String why) {
    static final String PROPERTY = "portcullis.config";
    static final String VARIABLE = "PORTCULLIS_CONFIG";

    static ConfigFileLocator of(ConfigSource source) {
      String argument = source.argument();
      if (argument != null && !argument.isBlank()) {
        return new ConfigFileLocator(argument.strip(), "named by the agent's argument");
      }
      String property = source.properties().getOrDefault(PROPERTY, "");
      if (!property.isBlank()) {
        return new ConfigFileLocator(property.strip(), "named by system property " + PROPERTY);
      }
      String variable = source.environment().getOrDefault(VARIABLE, "");
      if (!variable.isBlank()) {
        return new ConfigFileLocator(variable.strip(), "named by environment " + VARIABLE);
      }
      return new ConfigFileLocator(
          "agent.conf",
          "looked for in the working folder, since neither -javaagent:…=<file>, -D"
              + PROPERTY
              + " nor "
              + VARIABLE
              + " names a file");
    }

    /** Throws if the name can't be a path at all. */
    Path in(Path folder) throws TextFile.UnreadableFileException {
      try {
        return folder.resolve(name);
      } catch (InvalidPathException e) {
        throw new TextFile.UnreadableFileException("is no path of a file", 0);
      }
    }
  }
}
