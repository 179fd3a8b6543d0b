package io.portcullis.testsupport;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles Java sources for tests with the compiler of the running JDK: to Java 17 byte code, with
 * debug information and without annotation processors.
 */
public final class SourceCompiler {
  private final List<String> options;

  private SourceCompiler(String classPath) {
    this.options =
        List.of(
            "--release", "17", "-g", "-nowarn", "-proc:none", "-implicit:none", "-cp", classPath);
  }

  /** A compiler with these jars and folders as class path. */
  public static SourceCompiler withClassPath(Collection<Path> classPath) {
    return new SourceCompiler(
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
  }

  /** A compiler with the class path of the running test. */
  public static SourceCompiler withTestClassPath() {
    return new SourceCompiler(System.getProperty("java.class.path"));
  }

  /**
   * Compiles source files into the folder {@code classes}.
   *
   * @throws IllegalStateException with the compiler's messages if they do not compile
   */
  public void compileFiles(Collection<Path> sources, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      run(compiler, files, files.getJavaFileObjectsFromPaths(sources), classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Compiles source texts into the folder {@code classes}.
   *
   * @throws IllegalStateException with the compiler's messages if they do not compile
   */
  public void compileTexts(Collection<String> sources, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      run(compiler, files, sources.stream().map(SourceText::new).toList(), classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void run(
      JavaCompiler compiler,
      StandardJavaFileManager files,
      Iterable<? extends JavaFileObject> sources,
      Path classes) {
    StringWriter messages = new StringWriter();
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of("-d", classes.toString()));
    if (!compiler.getTask(messages, files, null, arguments, null, sources).call()) {
      throw new IllegalStateException("The sources do not compile: " + messages);
    }
  }

  /** A source text, named after the first type that it declares. */
  private static final class SourceText extends SimpleJavaFileObject {
    private final String text;

    SourceText(String text) {
      super(URI.create("string:///" + path(text) + ".java"), Kind.SOURCE);
      this.text = text;
    }

    private static String path(String text) {
      String folder =
          text.startsWith("package ")
              ? text.replaceFirst("(?s)^package ([\\w.]+);.*", "$1").replace('.', '/') + "/"
              : "";
      return folder + text.replaceFirst("(?s).*?\\b(?:class|interface|record|enum) (\\w+).*", "$1");
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
