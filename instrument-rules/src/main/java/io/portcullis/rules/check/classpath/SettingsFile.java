package io.portcullis.rules.check.classpath;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * A settings file of the application, such as {@code application.properties}.
 *
 * @param place the archive or directory that contains it
 * @param name its path there
 */
public record SettingsFile(String place, String name, String text) {
  /** Maximum size of a settings file; larger ones are not read. */
  static final int MAX_BYTES = 1 << 20;

  private static final Set<String> NAMES =
      Set.of(
          "application.properties",
          "application.yml",
          "application.yaml",
          "persistence.xml",
          "hibernate.cfg.xml",
          "hibernate.properties");

  /** The file's name without its folders. */
  public String simpleName() {
    return simpleName(name);
  }

  static boolean isSettings(String name) {
    return NAMES.contains(simpleName(name));
  }

  /** Reads at most {@link #MAX_BYTES}. */
  static byte[] bytes(InputStream in) throws IOException {
    return in.readNBytes(MAX_BYTES);
  }

  static SettingsFile of(String place, String name, byte[] bytes) {
    return new SettingsFile(place, name, new String(bytes, StandardCharsets.UTF_8));
  }

  private static String simpleName(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }
}
