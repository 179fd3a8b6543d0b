package io.portcullis.agent.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Versions of the agent and of the libraries inside it, and the path of its jar. */
public final class AgentVersion {
  private static final String FILE = "version.properties";
  private static final String LIBRARY = "library.";

  private AgentVersion() {}

  /** The path of the jar in use, since several versions may be in one folder. */
  static String jarPath() {
    String url = String.valueOf(AgentVersion.class.getResource(FILE));
    int end = url.indexOf("!/");
    return end < 0 ? url : Path.of(URI.create(url.substring(url.indexOf(':') + 1, end))).toString();
  }

  public static String text() {
    return properties().getProperty("version", "unknown");
  }

  /** The versions of the agent and of the libraries inside it, by name. */
  static Map<String, String> all() {
    Map<String, String> versions = new TreeMap<>();
    versions.put("portcullis", text());
    properties()
        .forEach(
            (key, value) -> {
              if (key.toString().startsWith(LIBRARY)) {
                versions.put(key.toString().substring(LIBRARY.length()), value.toString());
              }
            });
    return versions;
  }

  private static Properties properties() {
    Properties properties = new Properties();
    try (InputStream in = AgentVersion.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("The agent's jar has no version.properties.");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
