package io.portcullis.agent.config.hocon;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a configuration.
 *
 * @param argument the agent's argument, which is the file's name; null or empty if there is none
 * @param environment the environment variables
 * @param properties the system properties
 * @param folder a relative file name is resolved against it
 * @param hostName default of {@code node.id}
 * @param missingSecrets how to handle files of secrets that can't be read
 */
public record ConfigSource(
    @Nullable String argument,
    Map<String, String> environment,
    Map<String, String> properties,
    Path folder,
    String hostName,
    MissingSecrets missingSecrets) {

  /** How to handle files of secrets that can't be read. */
  public enum MissingSecrets {
    /** They are problems of the configuration. */
    REFUSE,
    /** They are warnings, for checks where the secrets are not. */
    WARN
  }

  /** Creates a source that refuses missing secrets. */
  public ConfigSource(
      @Nullable String argument,
      Map<String, String> environment,
      Map<String, String> properties,
      Path folder,
      String hostName) {
    this(argument, environment, properties, folder, hostName, MissingSecrets.REFUSE);
  }

  /** Copies the maps, because the application may change its properties later. */
  public ConfigSource {
    environment = Map.copyOf(environment);
    properties = Map.copyOf(properties);
  }

  /** Takes a snapshot of the properties whose values are strings. */
  public static Map<String, String> texts(Properties properties) {
    Map<String, String> texts = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      String value = properties.getProperty(name);
      if (value != null) {
        texts.put(name, value);
      }
    }
    return texts;
  }

  /** Omits the environment, which may contain secrets. */
  @Override
  public String toString() {
    return "ConfigSource[argument=" + argument + "]";
  }
}
