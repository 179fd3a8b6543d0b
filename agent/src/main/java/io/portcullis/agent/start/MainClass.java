package io.portcullis.agent.start;

import java.io.File;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Properties;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** What this JVM was started to run. */
final class MainClass {
  private static final String JAR = ".jar";

  private MainClass() {}

  /**
   * The names by which it may be called: the main class, for a jar that of its manifest, and for a
   * Spring Boot jar the application's own beside the launcher's. Empty if the JVM does not tell.
   */
  static Set<String> names(Properties properties) {
    String command = properties.getProperty("sun.java.command", "");
    File jar = jarOf(command);
    if (jar != null) {
      return namesIn(jar);
    }
    String first = command.split(" ", 2)[0];
    return first.isEmpty() ? Set.of() : Set.of(first.substring(first.indexOf('/') + 1));
  }

  /** The path may hold spaces, so the command is cut at each ending that a jar can have. */
  private static @org.jspecify.annotations.Nullable File jarOf(String command) {
    for (int end = command.indexOf(JAR); end >= 0; end = command.indexOf(JAR, end + 1)) {
      File jar = new File(command.substring(0, end + JAR.length()));
      if (jar.isFile()) {
        return jar;
      }
    }
    return null;
  }

  private static Set<String> namesIn(File file) {
    Set<String> names = new LinkedHashSet<>();
    try (JarFile jar = new JarFile(file, false)) {
      Manifest manifest = jar.getManifest();
      if (manifest != null) {
        Attributes main = manifest.getMainAttributes();
        for (String key : Set.of("Main-Class", "Start-Class")) {
          String name = main.getValue(key);
          if (name != null) {
            names.add(name.trim());
          }
        }
      }
    } catch (IOException e) { // The JVM itself will say what is wrong with it.
      return Set.of();
    }
    return names;
  }
}
