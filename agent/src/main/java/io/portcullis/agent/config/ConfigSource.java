package io.portcullis.agent.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that a configuration is read from.
 *
 * @param argument the agent's argument: the file; null or empty if there was none
 * @param environment the variables of the environment
 * @param properties the system properties
 * @param folder what a relative path to the file starts from
 * @param hostName the default of {@code node.id}
 */
public record ConfigSource(
    @Nullable String argument,
    Map<String, String> environment,
    Map<String, String> properties,
    Path folder,
    String hostName) {

  /** Copies the maps: the application may change its properties later. */
  public ConfigSource {
    environment = Map.copyOf(environment);
    properties = Map.copyOf(properties);
  }

  /** The texts among system properties, as they are now. */
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

  /** So that a record never prints the environment. */
  @Override
  public String toString() {
    return "ConfigSource[argument=" + argument + "]";
  }
}
