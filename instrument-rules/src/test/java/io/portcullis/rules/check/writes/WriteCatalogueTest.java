package io.portcullis.rules.check.writes;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.check.classpath.ListFile;
import io.portcullis.rules.classfile.ClassShapeReader;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Compares the catalogue with the libraries: a misspelt name would find nothing. */
class WriteCatalogueTest {
  static final List<String> LINES = ListFile.lines(WriteCatalogue.class, "catalogue.txt");

  /** Repositories are an application's own interfaces, with methods of these names. */
  private static final String REPOSITORIES = "spring-data";

  /** Removed in Hibernate 7, but present in releases that are still common. */
  private static final Set<String> OF_OLDER_RELEASES =
      Set.of(
          "org.hibernate.Session#save",
          "org.hibernate.Session#saveOrUpdate",
          "org.hibernate.Session#update",
          "org.hibernate.Session#delete");

  private static final ClassFiles LIBRARIES =
      ClassShapeReader.visibleTo(WriteCatalogueTest.class.getClassLoader());

  @ParameterizedTest
  @FieldSource("LINES")
  void everyTypeExistsInTheCurrentRelease(String line) throws IOException {
    String type = line.split(" ", -1)[1];

    ClassShape shape = requireNonNull(LIBRARIES.read(type.replace("@", "")), type);

    assertThat(shape.head().isAnnotationType()).isEqualTo(type.startsWith("@"));
  }

  @ParameterizedTest
  @FieldSource("LINES")
  void everyMethodExistsInTheCurrentRelease(String line) throws IOException {
    List<String> words = List.of(line.split(" ", -1));
    Set<String> methods = new HashSet<>();
    collect(words.get(1).replace("@", ""), methods);

    assertThat(words.subList(2, words.size()))
        .filteredOn(name -> !words.get(0).equals(REPOSITORIES))
        .filteredOn(name -> !OF_OLDER_RELEASES.contains(words.get(1) + "#" + name))
        .allSatisfy(
            name -> assertThat(methods).anyMatch(method -> WriteCatalogue.matches(name, method)));
  }

  /** Methods that can be called from outside, inherited ones included. */
  private static void collect(String type, Set<String> methods) throws IOException {
    ClassShape shape = LIBRARIES.read(type);
    if (shape == null) {
      return; // A parent in an artifact that is not needed here.
    }
    for (MethodShape method : shape.methods()) {
      if (Modifier.isPublic(method.access())) {
        methods.add(method.name());
      }
    }
    if (shape.superclass() != null) {
      collect(shape.superclass(), methods);
    }
    for (String parent : shape.interfaces()) {
      collect(parent, methods);
    }
  }
}
