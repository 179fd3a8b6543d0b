package io.portcullis.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NestedJarClassLoaderTest {
  private static final String SAMPLE = "io/portcullis/agent/NestedJarClassLoaderTest$Sample";

  @TempDir Path folder;
  private JarFile jar;
  private NestedJarClassLoader loader;

  /** A class that the jar contains once more. */
  public static final class Sample {}

  @BeforeEach
  void pack() throws IOException {
    Path file = folder.resolve("the agent's.jar");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream packed = new JarOutputStream(out)) {
      add(packed, "engine/" + SAMPLE + ".classdata", classFile());
      add(packed, "engine/some/text.conf", "inside".getBytes(StandardCharsets.UTF_8));
      add(packed, "other/some/other.conf", "outside".getBytes(StandardCharsets.UTF_8));
    }
    jar = new JarFile(file.toFile());
    loader =
        new NestedJarClassLoader(
            "portcullis-engine",
            jar,
            file.toUri(),
            "engine/",
            ClassLoader.getPlatformClassLoader());
  }

  @AfterEach
  void close() throws IOException {
    jar.close();
  }

  private static void add(JarOutputStream jar, String name, byte[] content) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(content);
    jar.closeEntry();
  }

  private static byte[] classFile() throws IOException {
    try (InputStream in = Sample.class.getResourceAsStream("/" + SAMPLE + ".class")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  @Test
  void loadsItsOwnCopyOfAClass() throws Exception {
    Class<?> loaded = loader.loadClass(Sample.class.getName());

    assertThat(loaded).isNotSameAs(Sample.class);
    assertThat(loaded.getClassLoader()).isSameAs(loader);
    assertThat(loaded.getPackage().getName()).isEqualTo("io.portcullis.agent");
    assertThat(loaded.getDeclaredConstructor().newInstance()).isNotNull();
  }

  @Test
  void applicationClassesAreNotVisible() {
    assertThatThrownBy(() -> loader.loadClass(Test.class.getName()))
        .isInstanceOf(ClassNotFoundException.class);
    assertThat(loader.getResource("org/junit/jupiter/api/Test.class")).isNull();
  }

  @Test
  void onlyResourcesOfTheFolderAreVisible() throws IOException {
    try (InputStream in = loader.getResourceAsStream("some/text.conf")) {
      assertThat(Objects.requireNonNull(in).readAllBytes()).asString().isEqualTo("inside");
    }
    assertThat(loader.getResource("some/other.conf")).isNull();
    assertThat(Collections.list(loader.getResources("some/text.conf"))).hasSize(1);
    assertThat(Collections.list(loader.getResources("some/other.conf"))).isEmpty();
  }

  @Test
  void classFileIsFoundByItsUsualName() throws IOException {
    try (InputStream in = loader.getResourceAsStream(SAMPLE + ".class")) {
      assertThat(Objects.requireNonNull(in).readAllBytes()).isEqualTo(classFile());
    }
  }
}
