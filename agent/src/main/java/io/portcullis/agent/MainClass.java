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

/** What this JVM was started to run. */
final class MainClass {
  private MainClass() {}

  /**
   * The names by which it may be called: the main class, for a jar that of its manifest, and for a
   * Spring Boot jar the application's own beside the launcher's. Empty if the JVM does not tell.
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

  /** The path of a jar may hold spaces, so the command is cut at each. */
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

  /** Any zip will do, whatever its name; what is called a jar is one, broken or not. */
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
    } catch (IOException e) { // The JVM itself will say what is wrong with it.
      return Set.of();
    }
    return names;
  }
}
