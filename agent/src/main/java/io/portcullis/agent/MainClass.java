package io.portcullis.agent;

import java.io.File;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** Finds the main class of this JVM. */
final class MainClass {
  private MainClass() {}

  /**
   * All names of the main class: the class on the command line, or for a jar the {@code Main-Class}
   * of its manifest; for a Spring Boot jar also the {@code Start-Class}, which is the application's
   * own. Empty if the JVM does not report its command.
   */
  static Set<String> names(Properties properties) {
    String command = properties.getProperty("sun.java.command", "");
    String first = command.split(" ", 2)[0];
    if (first.isEmpty()) {
      return Set.of();
    }
    File jar = jarOf(command);
    return jar == null ? Set.of(first.substring(first.indexOf('/') + 1)) : namesIn(jar);
  }

  /** Tries the command up to each space, because the path of a jar may contain spaces. */
  private static @Nullable File jarOf(String command) {
    for (int end = command.indexOf(' '); end >= 0; end = command.indexOf(' ', end + 1)) {
      File jar = new File(command.substring(0, end));
      if (isJar(jar)) {
        return jar;
      }
    }
    File whole = new File(command);
    return isJar(whole) ? whole : null;
  }

  /**
   * A file is a jar if its name ends in {@code .jar}, even if it is corrupt, or if it is a zip with
   * a main class in its manifest, whatever its name.
   */
  private static boolean isJar(File file) {
    return file.isFile() && (file.getName().endsWith(".jar") || !namesIn(file).isEmpty());
  }

  private static Set<String> namesIn(File file) {
    Set<String> names = new LinkedHashSet<>();
    try (JarFile jar = new JarFile(file, false)) {
      Manifest manifest = jar.getManifest();
      if (manifest != null) {
        Attributes main = manifest.getMainAttributes();
        for (String key : List.of("Main-Class", "Start-Class")) {
          String name = main.getValue(key);
          if (name != null) {
            names.add(name.trim());
          }
        }
      }
    } catch (IOException e) { // The JVM itself reports the error.
      return Set.of();
    }
    return names;
  }
}
