package io.portcullis.agent.config.hocon;

import com.typesafe.config.ConfigObject;
import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parsed configuration file, before overrides are applied.
 *
 * @param name the file's name as the user wrote it
 * @param all the file and all files that it includes
 * @param portcullis the section {@code portcullis { }}
 */
public record ConfigFile(Path path, String name, List<Path> all, ConfigSection portcullis) {
  public static final String ROOT = "portcullis";

  /** Reads the file; returns null if it is invalid. */
  public static @Nullable ConfigFile read(
      ConfigSource source, List<String> ownKeys, ConfigProblems problems) {
    ConfigFileLocator locator = ConfigFileLocator.of(source);
    ProblemLocation whole = new ProblemLocation(ValueOrigin.file(locator.name(), 0), "", null);
    Path path;
    try {
      path = locator.in(source.folder());
    } catch (TextFile.UnreadableFileException e) {
      problems.refuse(whole, locator.unreadable(e, locator.name()));
      return null;
    }
    OriginLookup origins = new OriginLookup();
    HoconParser parser = new HoconParser(origins, problems);
    ConfigObject parsed = parser.parse(path, locator);
    if (parsed == null) {
      return null;
    }
    ConfigObject resolved =
        new Substitutions(origins, problems).resolved(parsed, source.environment());
    if (resolved == null) {
      return null;
    }
    // Only keys of the file: the resolved tree also contains the environment variables.
    ConfigSection all =
        new ConfigTreeBuilder(origins::place).section("", resolved, parsed.keySet());
    refuseStrays(all, ownKeys, problems);
    return all.get(ROOT) instanceof ConfigSection root
        ? new ConfigFile(path, locator.name(), parser.files(), root)
        : noRoot(all, whole, problems);
  }

  private static @Nullable ConfigFile noRoot(
      ConfigSection all, ProblemLocation whole, ConfigProblems problems) {
    ConfigNode wrong = all.get(ROOT);
    problems.refuse(
        wrong == null ? whole : wrong.location(),
        "there is no section portcullis; write everything inside portcullis { … }");
    return null;
  }

  /**
   * Refuses keys of the agent outside the root section, which would be ignored. Other top-level
   * keys are allowed, since substitutions may use them.
   */
  private static void refuseStrays(
      ConfigSection all, List<String> ownKeys, ConfigProblems problems) {
    for (Map.Entry<String, ConfigNode> entry : all.children().entrySet()) {
      String key = entry.getKey();
      ProblemLocation location = entry.getValue().location();
      if (ownKeys.contains(key)) {
        problems.refuse(
            location, "is outside portcullis { … } and would be ignored; move it inside");
      } else if (!key.equals(ROOT) && KeySuggestion.nearest(key, List.of(ROOT)).isPresent()) {
        problems.refuse(location, "unknown section; did you mean portcullis?");
      }
    }
  }

  /**
   * Determines which file to read.
   *
   * @param name the file's name as the user wrote it
   * @param why where the name comes from, for error messages
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

    /** Describes why the file can't be read, with the path at which it was looked for. */
    String unreadable(TextFile.UnreadableFileException e, Object path) {
      return "the configuration " + path + " " + e.why() + " (" + why + ")";
    }

    /** Resolves the name against a folder; throws if it is not a valid path. */
    Path in(Path folder) throws TextFile.UnreadableFileException {
      try {
        return folder.resolve(name);
      } catch (InvalidPathException e) {
        throw new TextFile.UnreadableFileException("is not a valid file path", 0);
      }
    }
  }
}
