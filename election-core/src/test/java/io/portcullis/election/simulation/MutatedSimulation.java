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
 * The simulation, compiled anew from the project's own sources with a mistake in them. So the code
 * under test needs no switch for being wrong, and a mistake whose place is gone is noticed.
 */
public final class MutatedSimulation {
  /**
   * A simulation and where it comes from.
   *
   * @param simulation a public class with a public static method {@code failureOf(long seed)} that
   *     returns null if all went well, else what went wrong
   * @param others a class from each further place whose classes must see the mistake
   * @param sources the folders of sources that a mistake can be planted in; the first that has a
   *     file of the name counts
   */
  public record Origin(Class<?> simulation, List<Class<?>> others, List<Path> sources) {
    /** Keeps copies. */
    public Origin {
      others = List.copyOf(others);
      sources = List.copyOf(sources);
    }

    private URL[] urls(URL mistakes) {
      Stream<URL> places =
          Stream.concat(Stream.of(simulation), others.stream())
              .map(type -> type.getProtectionDomain().getCodeSource().getLocation());
      return Stream.concat(Stream.of(mistakes), places.distinct()).toArray(URL[]::new);
    }
  }

  private final Method failureOf;

  /** Compiles what the mistake changes into {@code folder}. */
  public MutatedSimulation(Origin origin, PlantedBug bug, Path folder)
      throws IOException, ReflectiveOperationException {
    List<Path> mistakes = plant(bug, origin.sources(), folder);
    if (!mistakes.isEmpty()) {
      SourceCompiler.withTestClassPath().compileFiles(mistakes, folder);
    }
    Class<?> simulation =
        new ChildFirstClassLoader(origin.urls(folder.toUri().toURL()))
            .loadClass(origin.simulation().getName());
    this.failureOf = simulation.getMethod("failureOf", long.class);
  }

  /** The first of the seeds that catches the mistake. */
  public OptionalLong firstCatch(int seeds) {
    return LongStream.range(0, seeds)
        .parallel()
        .filter(seed -> failureOf(seed) != null)
        .findFirst();
  }

  /** Null if the seed does not catch it, else the seed's story. */
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

  /** Loads the project's classes itself, those with a mistake from the folder. */
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
