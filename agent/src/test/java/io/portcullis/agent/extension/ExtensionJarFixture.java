package io.portcullis.agent.extension;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.portcullis.testsupport.SourceCompiler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** An extension jar that a test writes and compiles. */
public final class ExtensionJarFixture {
  private final Map<String, String> sources = new LinkedHashMap<>();
  private final Map<String, String> files = new LinkedHashMap<>();

  /**
   * Adds a class of package {@code ext} with this body that implements a service, and its service
   * file.
   */
  public ExtensionJarFixture service(Class<?> service, String name, String body) {
    files.merge("META-INF/services/" + service.getName(), "ext." + name + "\n", String::concat);
    sources.put(
        name,
        "package ext; public class "
            + name
            + " implements "
            + service.getName()
            + " { "
            + body
            + " }");
    return this;
  }

  /** Adds a file to the jar. */
  public ExtensionJarFixture file(String name, String text) {
    files.put(name, text);
    return this;
  }

  /** Writes the jar into a folder. */
  public Path to(Path folder, String name) {
    try {
      Path jar = folder.resolve(name);
      Path classes = Files.createTempDirectory(folder, "classes");
      compile(classes);
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
          Stream<Path> compiled = Files.walk(classes)) {
        for (Path file : compiled.filter(Files::isRegularFile).toList()) {
          out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
          Files.copy(file, out);
        }
        for (Map.Entry<String, String> file : files.entrySet()) {
          out.putNextEntry(new JarEntry(file.getKey()));
          out.write(file.getValue().getBytes(UTF_8));
        }
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compile(Path classes) {
    if (sources.isEmpty()) {
      return;
    }
    SourceCompiler.withTestClassPath().compileTexts(sources.values(), classes);
  }
}
