package io.portcullis.it.support;

import io.portcullis.election.backend.Backend;
import io.portcullis.gate.Gate;
import io.portcullis.rules.extension.RefusalAction;
import io.portcullis.testsupport.SourceCompiler;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;

/** Compiles applications that need other libraries than the tests do. */
public final class TestAppCompiler {
  private static final Path SOURCES = Path.of("src", "test");
  private static final Path LIBRARIES = Path.of("target").toAbsolutePath();

  private static final Path SERVLET_SOURCES = Path.of("src", "test", "servlets");

  private TestAppCompiler() {}

  /** Packages of the servlet API, each with a container. */
  public enum ServletApi {
    JAVAX("javax.servlet", "tomcat-9"),
    JAKARTA("jakarta.servlet", "tomcat-10");

    private final String packages;
    private final String libraries;

    ServletApi(String packages, String libraries) {
      this.packages = packages;
      this.libraries = libraries;
    }
  }

  /** The class path of a servlet application; it differs between the two APIs only in imports. */
  public static Path[] servlets(ServletApi api, Path folder) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources"));
    try (Stream<Path> files = Files.walk(SERVLET_SOURCES)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text =
            Files.readString(file)
                .replace("jakarta.servlet", api.packages)
                .replace("jakarta.ws", api.packages.replace("servlet", "ws"));
        Files.writeString(sources.resolve(file.getFileName().toString()), text);
      }
    }
    List<Path> entries =
        new ArrayList<>(jarsIn(Path.of("target", "apps", api.libraries).toAbsolutePath()));
    Path classes = Files.createDirectories(folder.resolve("classes"));
    folder(sources, classes, entries);
    entries.add(0, classes);
    return entries.toArray(Path[]::new);
  }

  /** The class path of a service with other versions of the agent's libraries. */
  public static Path[] serviceWithOtherVersions(Path classes) throws IOException {
    List<Path> libraries = jarsIn(LIBRARIES.resolve("others-versions"));
    folder(SOURCES.resolve("others"), classes, libraries);
    List<Path> entries = new ArrayList<>(libraries);
    entries.add(0, classes);
    return entries.toArray(Path[]::new);
  }

  /** The jar of the extension example: a backend, a listener and an action. */
  public static Path extension(Path folder) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<Path> published =
        Stream.of(Backend.class, RefusalAction.class, Gate.class, Logger.class)
            .map(TestAppCompiler::origin)
            .toList();
    folder(SOURCES.resolve("extension"), classes, published);
    return JarWriter.of(folder.resolve("directory-lease.jar"), classes);
  }

  private static Path origin(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no path of " + type, e);
    }
  }

  /** Compiles an application for a container, by the name of its folder. */
  public static Path forContainer(String name, Path classes, Path... container) throws IOException {
    folder(SOURCES.resolve("containers").resolve(name), classes, List.of(container));
    return classes;
  }

  /** The jar of a container or another agent, by the start of its file name. */
  public static Path container(String artifact) throws IOException {
    return jarsIn(LIBRARIES.resolve("containers")).stream()
        .filter(jar -> jar.getFileName().toString().matches(Pattern.quote(artifact) + "-\\d.*"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no jar " + artifact));
  }

  /** A Postgres driver for services, in another version than the agent's. */
  public static Path postgresDriver() throws IOException {
    return jarsIn(LIBRARIES.resolve("others-versions")).stream()
        .filter(jar -> jar.getFileName().toString().startsWith("postgresql-"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no driver"));
  }

  /** Compiles all sources below {@code from} into {@code to}; other files are copied. */
  private static void folder(Path from, Path to, List<Path> classPath) throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.toString().endsWith(".java")) {
          sources.add(file);
        } else {
          Path copy = to.resolve(from.relativize(file).toString());
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    SourceCompiler.withClassPath(classPath).compileFiles(sources, to);
  }

  private static List<Path> jarsIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }
}
