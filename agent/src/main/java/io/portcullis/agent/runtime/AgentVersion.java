package io.portcullis.agent.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Which version of the agent this is. */
public final class AgentVersion {
  private static final String FILE = "version.properties";
  private static final String LIBRARY = "library.";

  private AgentVersion() {}

  /** The jar it runs from: a copy of another version may lie beside it. */
  static String place() {
    String place = String.valueOf(AgentVersion.class.getResource(FILE));
    int end = place.indexOf("!/");
    return end < 0
        ? place
        : Path.of(URI.create(place.substring(place.indexOf(':') + 1, end))).toString();
  }

  /** The version this was built as. */
  public static String text() {
    return properties().getProperty("version", "unknown");
  }

  /** The same, and the versions of the libraries inside. */
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
        throw new IllegalStateException("The agent's jar lacks its version.properties.");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
