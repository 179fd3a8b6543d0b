package io.portcullis.fencing.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.weave.DriverWeaver.DriverWeaveFailure;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;
import org.junit.jupiter.api.Test;

class DriverWeaverTest {
  private static final String STREAM = "org/postgresql/core/PGStream";
  private static final String EXECUTOR = "org/postgresql/core/v3/QueryExecutorImpl";

  private final List<DriverWeaveFailure> failures = new ArrayList<>();
  private final ClassLoader loader = DriverWeaverTest.class.getClassLoader();
  private final DriverWeaver weaver = new DriverWeaver(own -> own == null, failures::add);

  /** Takes one stream only. */
  static final class InputOnlyStream {
    private InputOnlyStream() {}

    static InputStream open(Socket socket) throws IOException {
      return socket.getInputStream();
    }
  }

  /** Not related to a socket. */
  static final class Unrelated {
    private Unrelated() {}
  }

  private static byte[] renamed(String from, String to) throws IOException {
    ClassWriter renamed = new ClassWriter(0);
    new ClassReader(classFile(from))
        .accept(new ClassRemapper(renamed, new SimpleRemapper(Opcodes.ASM9, from, to)), 0);
    return renamed.toByteArray();
  }

  private static byte[] relocated(String name, String prefix) throws IOException {
    ClassWriter relocated = new ClassWriter(0);
    Remapper toPrefix =
        new Remapper(Opcodes.ASM9) {
          @Override
          public String map(String internalName) {
            return internalName.replace("org/postgresql/", prefix + "/");
          }
        };
    new ClassReader(classFile(name)).accept(new ClassRemapper(relocated, toPrefix), 0);
    return relocated.toByteArray();
  }

  private static byte[] classFile(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            DriverWeaverTest.class.getClassLoader().getResourceAsStream(name + ".class"))) {
      return in.readAllBytes();
    }
  }

  @Test
  void driversAreWovenUnderAnyPackage() throws IOException {
    assertThat(weaver.transform(loader, STREAM, null, null, classFile(STREAM))).isNotNull();
    assertThat(weaver.transform(loader, EXECUTOR, null, null, classFile(EXECUTOR))).isNotNull();
    assertThat(weaver.transform(loader, "shaded/" + STREAM, null, null, classFile(STREAM)))
        .isNotNull();
    assertThat(failures).isEmpty();
  }

  @Test
  void forksAndRelocatedCopiesAreWoven() throws IOException {
    for (String prefix : List.of("com/edb", "com/yugabyte", "shaded/com/acme/pg")) {
      String stream = STREAM.replace("org/postgresql", prefix);
      String executor = EXECUTOR.replace("org/postgresql", prefix);

      assertThat(weaver.transform(loader, stream, null, null, relocated(STREAM, prefix)))
          .isNotNull();
      assertThat(weaver.transform(loader, executor, null, null, relocated(EXECUTOR, prefix)))
          .isNotNull();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void unrelatedClassWithDriverNameIsNotWoven() throws IOException {
    byte[] unrelated = classFile("java/util/ArrayDeque");
    // A driver of another database, whose executor knows no Postgres stream.
    byte[] other = classFile("org/postgresql/jdbc/PgArray");

    for (String name : List.of("com/acme/core/PGStream", "com/acme/core/v3/QueryExecutorImpl")) {
      assertThat(weaver.transform(loader, name, null, null, unrelated)).isNull();
    }
    assertThat(weaver.transform(loader, "com/acme/core/v3/QueryExecutorImpl", null, null, other))
        .isNull();
    assertThat(failures).isEmpty();
  }

  @Test
  void loadedUnrelatedClassIsNotReportedAsWoven() throws IOException {
    String unrelated = Unrelated.class.getName().replace('.', '/');
    DefiningClassLoader apart = new DefiningClassLoader();
    apart.define(renamed(unrelated, "com/acme/core/PGStream"));
    Instrumentation instrumentation = ByteBuddyAgent.install();
    DriverWeaver late = new DriverWeaver(own -> own != apart, failures::add);
    instrumentation.addTransformer(late, true);
    try {
      assertThat(late.weaveLoaded(instrumentation)).isEmpty();
    } finally {
      instrumentation.removeTransformer(late);
    }

    assertThat(failures).isEmpty();
  }

  @Test
  void partlyKnownForkOfTheDriverCantBeLoaded() throws IOException {
    String half = InputOnlyStream.class.getName().replace('.', '/');
    String fork = "com/edb/core/PGStream";

    byte[] woven = weaver.transform(loader, fork, null, null, classFile(half));

    assertThatThrownBy(() -> new DefiningClassLoader().define(Objects.requireNonNull(woven)))
        .isInstanceOf(ClassFormatError.class);
    assertThat(failures).extracting(DriverWeaveFailure::className).containsExactly(fork);
  }

  @Test
  void driverIsRecognizedIfItsLoaderGivesNoName() throws IOException {
    assertThat(weaver.transform(loader, null, null, null, classFile(STREAM))).isNotNull();
    assertThat(weaver.transform(loader, null, null, null, new byte[] {1, 2, 3})).isNull();
    assertThat(failures).isEmpty();
  }

  @Test
  void otherClassesAndTheAgentsOwnDriverAreNotWoven() throws IOException {
    assertThat(weaver.transform(loader, "com/acme/PGStream", null, null, classFile(STREAM)))
        .isNull();
    assertThat(weaver.transform(null, STREAM, null, null, classFile(STREAM))).isNull();
  }

  @Test
  void unknownDriverIsReportedAndCantBeLoaded() throws IOException {
    String half = InputOnlyStream.class.getName().replace('.', '/');
    for (String name : List.of(STREAM, EXECUTOR)) {
      byte[] woven = weaver.transform(loader, name, null, null, classFile(half));

      assertThatThrownBy(() -> new DefiningClassLoader().define(Objects.requireNonNull(woven)))
          .isInstanceOf(ClassFormatError.class);
    }
    assertThat(failures)
        .extracting(DriverWeaveFailure::className)
        .containsExactly(STREAM, EXECUTOR);
    assertThat(failures).noneMatch(DriverWeaveFailure::loaded);
  }

  @Test
  void unknownDriverLoadedEarlierIsReportedOnce() throws IOException {
    String half = InputOnlyStream.class.getName().replace('.', '/');
    DefiningClassLoader apart = new DefiningClassLoader();
    apart.define(renamed(half, STREAM));
    Instrumentation instrumentation = ByteBuddyAgent.install();
    DriverWeaver late = new DriverWeaver(own -> own != apart, failures::add);
    instrumentation.addTransformer(late, true);
    try {
      assertThat(late.weaveLoaded(instrumentation)).isEmpty();
      assertThat(late.weaveLoaded(instrumentation)).isEmpty();
    } finally {
      instrumentation.removeTransformer(late);
    }

    assertThat(failures).hasSize(1);
    DriverWeaveFailure failure = failures.get(0);
    assertThat(failure.loaded()).isTrue();
    assertThat(failure.className()).isEqualTo(STREAM);
    assertThat(failure.why()).hasMessageContaining("this driver is not known");
  }

  private static final class DefiningClassLoader extends ClassLoader {
    DefiningClassLoader() {
      super("unwoven", DriverWeaverTest.class.getClassLoader());
    }

    void define(byte[] classFile) {
      defineClass(null, classFile, 0, classFile.length);
    }
  }
}
