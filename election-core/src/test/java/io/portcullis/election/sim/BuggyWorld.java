package io.portcullis.election.sim;

import io.portcullis.election.machine.Role;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The simulation, compiled anew from the project's own sources with a mistake in them. So the code
 * under test needs no switch for being wrong, and a mistake whose place is gone is noticed.
 */
final class BuggyWorld {
  private static final List<Path> SOURCES =
      List.of(Path.of("src", "main", "java"), Path.of("src", "test", "java"));

  private final Method failureOf;

  BuggyWorld(PlantedBug bug, Path folder) throws IOException, ReflectiveOperationException {
    List<Path> mistakes = plant(bug, folder);
    if (!mistakes.isEmpty()) {
      compile(mistakes, folder);
    }
    this.failureOf = simulationIn(folder).getMethod("failureOf", long.class);
  }

  /** The first of the seeds that catches the mistake. */
  OptionalLong firstCatch(int seeds) {
    return LongStream.range(0, seeds).filter(seed -> failureOf(seed) != null).findFirst();
  }

  @Nullable String failureOf(long seed) {
    try {
      return (String) failureOf.invoke(null, seed);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Path> plant(PlantedBug bug, Path folder) throws IOException {
    Map<Path, String> texts = new LinkedHashMap<>();
    for (PlantedBug.Change change : bug.changes()) {
      Path source = find(change.file() + ".java");
      String text = texts.containsKey(source) ? texts.get(source) : Files.readString(source);
      int at = text.indexOf(change.right());
      if (at < 0 || text.indexOf(change.right(), at + 1) >= 0) {
        throw new IllegalStateException(source + " must contain exactly once: " + change.right());
      }
      texts.put(source, text.replace(change.right(), change.wrong()));
    }
    for (Map.Entry<Path, String> planted : texts.entrySet()) {
      Files.writeString(folder.resolve(planted.getKey().getFileName()), planted.getValue());
    }
    return texts.keySet().stream().map(path -> folder.resolve(path.getFileName())).toList();
  }

  private static Path find(String name) throws IOException {
    for (Path root : SOURCES) {
      try (Stream<Path> files = Files.walk(root)) {
        var found = files.filter(file -> file.endsWith(name)).findFirst();
        if (found.isPresent()) {
          return found.get();
        }
      }
    }
    throw new IllegalStateException("no source file " + name);
  }

  private static void compile(List<Path> sources, Path folder) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-nowarn",
              "-d",
              folder.toString(),
              "-cp",
              System.getProperty("java.class.path"));
      boolean compiled =
          compiler
              .getTask(
                  errors, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      if (!compiled) {
        throw new IllegalStateException("the mistake does not compile: " + errors);
      }
    }
  }

  private static Class<?> simulationIn(Path folder)
      throws ClassNotFoundException, MalformedURLException {
    URL mistakes = folder.toUri().toURL();
    return new OwnFirst(mistakes).loadClass(Simulation.class.getName());
  }

  /** Loads the project's classes itself, those with a mistake from the folder. */
  private static final class OwnFirst extends URLClassLoader {
    OwnFirst(URL mistakes) {
      super(urls(mistakes), BuggyWorld.class.getClassLoader());
    }

    private static URL[] urls(URL mistakes) {
      return new URL[] {
        mistakes,
        Simulation.class.getProtectionDomain().getCodeSource().getLocation(),
        Role.class.getProtectionDomain().getCodeSource().getLocation()
      };
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (!name.startsWith("io.portcullis.")) {
          return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
    }
  }
}
