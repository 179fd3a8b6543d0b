package io.portcullis.agent.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

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
  Path in(Path folder) throws TextFile.Unreadable {
    try {
      return folder.resolve(name);
    } catch (InvalidPathException e) {
      throw new TextFile.Unreadable("is no path of a file", 0);
    }
  }
}
