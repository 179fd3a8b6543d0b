package io.portcullis.election.simulation;

import io.portcullis.testsupport.SourceCompiler;
import java.io.IOException;
import java.lang.reflect.Method;
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
import org.jspecify.annotations.Nullable;

/**
 * The simulation, recompiled from the project's own sources with a planted bug. So the code under
 * test needs no test switches, and a bug whose source text no longer exists is detected.
 */
public final class MutatedSimulation {
  /**
   * A simulation and its sources.
   *
   * @param simulation a public class with a public static method {@code failureOf(long seed)} that
   *     returns null if the run succeeded, else the failure
   * @param others a class from each further code source whose classes must use the changed ones
   * @param sources source folders in which a bug can be planted; the first one with a file of the
   *     name is used
   */
  public record Origin(Class<?> simulation, List<Class<?>> others, List<Path> sources) {
    /** Copies the lists. */
    public Origin {
      others = List.copyOf(others);
      sources = List.copyOf(sources);
    }

    private URL[] urls(URL changed) {
      Stream<URL> places =
          Stream.concat(Stream.of(simulation), others.stream())
              .map(type -> type.getProtectionDomain().getCodeSource().getLocation());
      return Stream.concat(Stream.of(changed), places.distinct()).toArray(URL[]::new);
    }
  }

  private final Method failureOf;

  /** Compiles the changed sources into {@code folder}. */
  public MutatedSimulation(Origin origin, PlantedBug bug, Path folder)
      throws IOException, ReflectiveOperationException {
    List<Path> changed = plant(bug, origin.sources(), folder);
    if (!changed.isEmpty()) {
      SourceCompiler.withTestClassPath().compileFiles(changed, folder);
    }
    Class<?> simulation =
        new ChildFirstClassLoader(origin.urls(folder.toUri().toURL()))
            .loadClass(origin.simulation().getName());
    this.failureOf = simulation.getMethod("failureOf", long.class);
  }

  /** The first seed that detects the bug. */
  public OptionalLong firstCatch(int seeds) {
    return LongStream.range(0, seeds)
        .parallel()
        .filter(seed -> failureOf(seed) != null)
        .findFirst();
  }

  /** Null if the seed does not detect the bug, else the trace of the seed. */
  public @Nullable String failureOf(long seed) {
    try {
      return (String) failureOf.invoke(null, seed);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Path> plant(PlantedBug bug, List<Path> roots, Path folder)
      throws IOException {
    Map<Path, String> texts = new LinkedHashMap<>();
    for (PlantedBug.Change change : bug.changes()) {
      Path source = find(change.file() + ".java", roots);
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

  private static Path find(String name, List<Path> roots) throws IOException {
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        var found = files.filter(file -> file.endsWith(name)).findFirst();
        if (found.isPresent()) {
          return found.get();
        }
      }
    }
    throw new IllegalStateException("no source file " + name);
  }

  /** Loads the project's classes itself, changed classes from the folder. */
  private static final class ChildFirstClassLoader extends URLClassLoader {
    ChildFirstClassLoader(URL[] urls) {
      super(urls, MutatedSimulation.class.getClassLoader());
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
