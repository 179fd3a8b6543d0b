package io.portcullis.it.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Writes jars for tests. */
public final class JarWriter {
  private JarWriter() {}

  /** Writes a jar of all files below a folder. */
  public static Path of(Path jar, Path folder) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(folder.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, out);
      }
    }
    return jar;
  }

  /**
   * Writes a jar.
   *
   * @param manifest its manifest
   * @param classes class names, each with the folder in which it was compiled
   */
  public static Path write(Path jar, Map<String, String> manifest, Map<String, Path> classes)
      throws IOException {
    Manifest written = new Manifest();
    Attributes attributes = written.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.forEach(attributes::putValue);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), written)) {
      for (Map.Entry<String, Path> each : classes.entrySet()) {
        String file = each.getKey().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(file));
        Files.copy(each.getValue().resolve(file), out);
      }
    }
    return jar;
  }
}
