package io.portcullis.rules.classfile;

import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MatchPattern;
import io.portcullis.rules.match.MatchPattern.MatchResult;
import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks types up in class files alone. Each file is read once at most. */
public final class ClassFileTypes implements TypeLookup {
  private final ClassFiles files;
  private final Map<String, Optional<ClassShape>> read = new HashMap<>();

  public ClassFileTypes(ClassFiles files) {
    this.files = files;
  }

  /**
   * What a pattern matches in a class, with hints on what it misses: the same result as the
   * weaver's.
   *
   * @param files the class files that the class will find at run time
   */
  public static MatchResult meaning(MatchPattern pattern, ClassShape shape, ClassFiles files) {
    return pattern.meaning(shape, new ClassFileTypes(files));
  }

  @Override
  public @Nullable ClassHeader head(String name) {
    ClassShape shape = shape(name);
    return shape == null ? null : shape.head();
  }

  @Override
  public @Nullable ClassShape shape(String name) {
    return read.computeIfAbsent(name, this::read).orElse(null);
  }

  /** A file that can't be read counts as missing: its type is reported as unknown. */
  private Optional<ClassShape> read(String name) {
    try {
      return Optional.ofNullable(files.read(name));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
