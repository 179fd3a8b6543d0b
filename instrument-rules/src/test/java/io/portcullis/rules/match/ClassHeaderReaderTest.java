package io.portcullis.rules.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.classfile.ClassShapeReader;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClassHeaderReaderTest {
  private static final List<String> MODULES = List.of("java.base", "java.sql");
  private static final int MANY = 5_000;

  /** Compares two independent readers on thousands of classes. */
  @Test
  void headerIsTheSameAsByByteBuddysReader() throws Exception {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules");
    int read = 0;
    int annotated = 0;
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(modules.resolve(module))) {
        for (Path file : files.filter(ClassHeaderReaderTest::isClassFile).toList()) {
          byte[] classFile = Files.readAllBytes(file);
          var head = ClassHeaderReader.read(classFile);
          read++;
          annotated += head.annotations().size() + head.methodAnnotations().size();

          assertThat(head).as("%s", file).isEqualTo(ClassShapeReader.read(classFile).head());
        }
      }
    }
    assertThat(read).isGreaterThan(MANY);
    assertThat(annotated).isGreaterThan(MANY / 50);
  }

  @Test
  void headerOfSamplesIsTheSameAsByByteBuddysReader() throws Exception {
    for (String name :
        List.of(
            "Marked$Methods", "Marked$Repeated", "Marked$Rare", "StoreHierarchy$Ünïcode$Störe")) {
      byte[] classFile = SampleClassLoader.classFile(SampleClassLoader.SAMPLES + name);

      assertThat(ClassHeaderReader.read(classFile))
          .isEqualTo(ClassShapeReader.read(classFile).head());
    }
  }

  @Test
  void truncatedClassFileIsRefusedAtAnyLength() throws Exception {
    byte[] classFile = SampleClassLoader.classFile(SampleClassLoader.SAMPLES + "Marked$Methods");

    for (int length = 0; length < classFile.length; length++) {
      byte[] cut = Arrays.copyOf(classFile, length);
      assertThatThrownBy(() -> ClassHeaderReader.read(cut))
          .as("the first %d bytes", length)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static boolean isClassFile(Path file) {
    String name = file.toString();
    return name.endsWith(".class") && !name.endsWith("module-info.class");
  }
}
