package io.portcullis.rules.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.WeavingFixture;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sources of another language, compiled by its own compiler. A compiler is loaded separately from
 * the tests, its output by a new loader for each application.
 */
record CompiledSample(Path classes, List<Path> compiler) {
  /** Where the build puts the compilers, by language, with their dependencies. */
  private static final Path COMPILERS = Path.of("target", "compilers");

  /** A compiler's entry point: takes its arguments and returns whether it succeeded. */
  interface Entry {
    boolean compile(Class<?> main, List<String> arguments) throws ReflectiveOperationException;
  }

  static CompiledSample by(String language, String main, Entry entry, Path to, String... sources)
      throws Exception {
    List<Path> jars;
    try (Stream<Path> found = Files.list(COMPILERS.resolve(language))) {
      jars = found.sorted().toList();
    }
    String library = String.join(File.pathSeparator, jars.stream().map(Path::toString).toList());
    List<String> arguments =
        Stream.concat(
                Stream.of("-classpath", library, "-d", to.toString()),
                Stream.of(sources).map(CompiledSample::source))
            .toList();
    try (URLClassLoader apart =
        new URLClassLoader(urls(jars), ClassLoader.getPlatformClassLoader())) {
      assertThat(entry.compile(apart.loadClass(main), arguments)).isTrue();
    }
    return new CompiledSample(to, jars);
  }

  private static String source(String name) {
    return Path.of("src", "test", "resources", "com", "acme", name).toString();
  }

  private static URL[] urls(List<Path> paths) {
    return paths.stream().map(CompiledSample::url).toArray(URL[]::new);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A rule with this match refuses the call while the gate is shut and admits it once it is open.
   */
  void assertGated(String match, String type, String method) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(match);
        URLClassLoader application = application()) {
      Class<?> caller = application.loadClass(type);

      assertThatThrownBy(() -> call(caller, null, method)).isInstanceOf(NotLeaderException.class);
      trial.open();
      call(caller, null, method);

      assertThat(trial.failures).isEmpty();
    }
  }

  /** The rule gates a method, but not one that this call reaches. */
  void assertPassedBy(String match, String type, String method) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(match);
        URLClassLoader application = application()) {
      call(application.loadClass(type), null, method);

      application.loadClass(match.substring(0, match.indexOf('#')));
      assertThat(trial.coverage().wovenMethods()).isPositive();
    }
  }

  /** The classes and their language's library, with the JDK and the gate above them. */
  URLClassLoader application() throws IOException {
    return new URLClassLoader(
        urls(Stream.concat(Stream.of(classes), compiler.stream()).toList()), new GateClassLoader());
  }

  static @Nullable Object call(Class<?> type, @Nullable Object on, String name, Object... arguments)
      throws Throwable {
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
        try {
          return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
          throw e.getCause();
        }
      }
    }
    throw new NoSuchMethodException(type + "#" + name);
  }

  /** The parent of an application's loader. */
  private static final class GateClassLoader extends ClassLoader {
    GateClassLoader() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith("io.portcullis.gate.")) {
        return Class.forName(name, false, CompiledSample.class.getClassLoader());
      }
      throw new ClassNotFoundException(name);
    }
  }
}
