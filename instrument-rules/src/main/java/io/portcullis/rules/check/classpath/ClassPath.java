package io.portcullis.rules.check.classpath;

import io.portcullis.rules.classfile.ClassShapeReader;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MatchPattern;
import io.portcullis.rules.match.MatchPattern.InvalidPatternException;
import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import io.portcullis.rules.match.TypePattern;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Classes of an application, read from its class path without loading them. */
public final class ClassPath implements ClassFiles, TypeLookup {
  private static final ClassFiles JDK =
      ClassShapeReader.visibleTo(ClassLoader.getPlatformClassLoader());

  private final Map<String, OfflineClass> classes;
  private final ApplicationFiles application;
  private final List<ReadProblem> problems;
  private final int archives;
  private final Map<String, Optional<ClassShape>> jdkShapes = new HashMap<>();
  private final Map<String, ClassHeader> heads = new HashMap<>();

  ClassPath(
      Map<String, OfflineClass> classes,
      ApplicationFiles application,
      List<ReadProblem> problems,
      int archives) {
    this.classes = Collections.unmodifiableMap(new LinkedHashMap<>(classes));
    this.application = application;
    this.problems = List.copyOf(problems);
    this.archives = archives;
  }

  /**
   * Reads a class path.
   *
   * @param paths jars, wars, ears, directories with archives at any depth; {@code folder/*} for the
   *     jars of one folder
   * @param release Java release for which multi-release jars are read
   */
  public static ClassPath read(List<String> paths, ApplicationClassCheck ownership, int release) {
    ClassPathReader reader = new ClassPathReader(ownership, release);
    reader.read(paths);
    return reader.result();
  }

  /** All classes in class path order; if several have the same name, only the first. */
  public Collection<OfflineClass> classes() {
    return classes.values();
  }

  /** Returns the class with this name, null if there is none. */
  public @Nullable OfflineClass find(String binaryName) {
    return classes.get(binaryName);
  }

  /** What the application's archives contain besides classes. */
  public ApplicationFiles application() {
    return application;
  }

  /** Problems found while reading. */
  public List<ReadProblem> flaws() {
    return problems;
  }

  /** Number of jars and directories that were read, nested ones included. */
  public int archives() {
    return archives;
  }

  /**
   * Reads a class of the class path, or else of the running JDK. A JDK class that can't be read
   * counts as missing.
   */
  @Override
  public @Nullable ClassShape read(String binaryName) {
    OfflineClass found = classes.get(binaryName);
    return found != null
        ? found.shape()
        : jdkShapes.computeIfAbsent(binaryName, ClassPath::readFromJdk).orElse(null);
  }

  @Override
  public @Nullable ClassShape shape(String binaryName) {
    return read(binaryName);
  }

  @Override
  public @Nullable ClassHeader head(String binaryName) {
    ClassHeader known = heads.get(binaryName);
    if (known == null) {
      ClassShape shape = read(binaryName);
      if (shape == null) {
        return null;
      }
      known = shape.head();
      heads.put(binaryName, known);
    }
    return known;
  }

  private static Optional<ClassShape> readFromJdk(String binaryName) {
    try {
      return Optional.ofNullable(JDK.read(binaryName));
    } catch (IOException | IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * Contents of the application's archives besides classes.
   *
   * @param mainClass the first {@code Main-Class} of their manifests, empty if there is none
   */
  public record ApplicationFiles(String mainClass, List<SettingsFile> settings) {
    public ApplicationFiles {
      settings = List.copyOf(settings);
    }
  }

  /**
   * A part of the class path that can't be read.
   *
   * @param place the file, followed by {@code !} and the path inside it if it is an archive
   * @param className the expected binary name of the class; empty if the problem does not concern a
   *     single class
   * @param fatal whether a whole path given by the user can't be read
   */
  public record ReadProblem(String place, String className, String text, boolean fatal) {
    @Override
    public String toString() {
      return place + ": " + text;
    }
  }

  /** Decides which classes are the application's own and which belong to its libraries. */
  public static final class ApplicationClassCheck {
    private final List<TypePattern> patterns;

    private ApplicationClassCheck(List<TypePattern> patterns) {
      this.patterns = patterns;
    }

    /**
     * Creates a check from type patterns as in a rule before the {@code #}, such as {@code
     * com.acme.**}. Without patterns the location of a class decides.
     *
     * @throws InvalidPatternException if a pattern is invalid
     */
    public static ApplicationClassCheck of(List<String> patterns) {
      return new ApplicationClassCheck(
          patterns.stream().map(name -> MatchPattern.parse(name + "#*(..)").type()).toList());
    }

    boolean owns(String className, boolean inApplicationArchive) {
      return patterns.isEmpty()
          ? inApplicationArchive
          : patterns.stream().anyMatch(type -> type.matches(className));
    }
  }
}
