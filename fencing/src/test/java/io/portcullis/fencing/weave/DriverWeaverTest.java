package io.portcullis.fencing.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DriverWeaverTest {
  private static final String STREAM = "org/postgresql/core/PGStream";
  private static final String EXECUTOR = "org/postgresql/core/v3/QueryExecutorImpl";

  private final List<UnwovenDriver> failures = new ArrayList<>();
  private final ClassLoader loader = DriverWeaverTest.class.getClassLoader();
  private final DriverWeaver weaver = new DriverWeaver(own -> own == null, failures::add);

  /** Takes one stream only. */
  static final class HalfAStream {
    private HalfAStream() {}

    static InputStream open(Socket socket) throws IOException {
      return socket.getInputStream();
    }
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
  void otherClassesAndTheAgentsOwnDriverStayAsTheyAre() throws IOException {
    assertThat(weaver.transform(loader, "com/acme/PGStream", null, null, classFile(STREAM)))
        .isNull();
    assertThat(weaver.transform(null, STREAM, null, null, classFile(STREAM))).isNull();
  }

  @Test
  void aDriverThatIsNotKnownIsReportedAndCantBeLoaded() throws IOException {
    String half = HalfAStream.class.getName().replace('.', '/');
    for (String name : List.of(STREAM, EXECUTOR)) {
      byte[] woven = weaver.transform(loader, name, null, null, classFile(half));

      assertThatThrownBy(() -> new Defining().define(Objects.requireNonNull(woven)))
          .isInstanceOf(ClassFormatError.class);
    }
    assertThat(failures).extracting(UnwovenDriver::className).containsExactly(STREAM, EXECUTOR);
  }

  private static final class Defining extends ClassLoader {
    void define(byte[] classFile) {
      defineClass(null, classFile, 0, classFile.length);
    }
  }
}
