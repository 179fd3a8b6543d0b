package io.portcullis.rules.check.classpath;

import io.portcullis.rules.classfile.ClassFiles;
import io.portcullis.rules.classfile.ClassShapeReader;
import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MatchPattern;
import io.portcullis.rules.match.MatchPattern.InvalidPatternException;
import io.portcullis.rules.match.TypeLookup;
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

/** The classes of an application, read from its class path without loading any. */
public final class ClassPath implements ClassFiles, TypeLookup {
  private static final ClassFiles JDK =
      ClassShapeReader.visibleTo(ClassLoader.getPlatformClassLoader());

  private final Map<String, OfflineClass> classes;
  private final List<ReadProblem> flaws;
  private final int archives;
  private final Map<String, Optional<ClassShape>> ofTheJdk = new HashMap<>();
  private final Map<String, ClassHeader> heads = new HashMap<>();

  ClassPath(Map<String, OfflineClass> classes, List<ReadProblem> flaws, int archives) {
    this.classes = Collections.unmodifiableMap(new LinkedHashMap<>(classes));
    this.flaws = List.copyOf(flaws);
    this.archives = archives;
  }

  /**
   * Reads a class path.
   *
   * @param paths jars, wars, ears, directories; {@code folder/*} for all jars of a folder
   * @param release the release of Java that multi-release jars are read for
   */
  public static ClassPath read(List<String> paths, ApplicationClassCheck ownership, int release) {
    ClassPathReader reader = new ClassPathReader(ownership, release);
    reader.read(paths);
    return reader.result();
  }

  /** All classes, in the order of the path; where there are several of one name, the first. */
  public Collection<OfflineClass> classes() {
    return classes.values();
  }

  /** Null if no class of that name is there. */
  public @Nullable OfflineClass find(String binaryName) {
    return classes.get(binaryName);
  }

  /** What could not be read. */
  public List<ReadProblem> flaws() {
    return flaws;
  }

  /** How many jars and directories were read, nested ones included. */
  public int archives() {
    return archives;
  }

  /**
   * A class of the path, or of the JDK that this runs on. One of the JDK that can't be read here
   * counts as not there.
   */
  @Override
  public @Nullable ClassShape read(String binaryName) {
    OfflineClass found = classes.get(binaryName);
    return found != null
        ? found.shape()
        : ofTheJdk.computeIfAbsent(binaryName, ClassPath::readOfTheJdk).orElse(null);
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

  private static Optional<ClassShape> readOfTheJdk(String binaryName) {
    try {
      return Optional.ofNullable(JDK.read(binaryName));
    } catch (IOException | IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * Something on the class path that can't be read.
   *
   * @param place the file, and where in it after a {@code !}
   * @param className the binary name that the class would have; empty if it is not about one class
   * @param fatal whether a whole path that was asked for is not there
   */
  public record ReadProblem(String place, String className, String text, boolean fatal) {
    @Override
    public String toString() {
      return place + ": " + text;
    }
  }

  /** Tells the application's own classes from those of its libraries. */
  public static final class ApplicationClassCheck {
    private final List<TypePattern> named;

    private ApplicationClassCheck(List<TypePattern> named) {
      this.named = named;
    }

    /**
     * By names as they stand in a rule before the {@code #}, such as {@code com.acme.**}. Without
     * any it is the place that tells.
     *
     * @throws InvalidPatternException if one of them is none
     */
    public static ApplicationClassCheck of(List<String> patterns) {
      return new ApplicationClassCheck(
          patterns.stream().map(name -> MatchPattern.parse(name + "#*(..)").type()).toList());
    }

    boolean owns(String className, boolean inApplicationsPlace) {
      return named.isEmpty()
          ? inApplicationsPlace
          : named.stream().anyMatch(type -> type.matches(className));
    }
  }
}
