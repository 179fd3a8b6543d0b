package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the demo service does not even mention Portcullis. */
class DemoServiceTest {
  private static final Path MODULE = Path.of("..", "demo-service");

  private static boolean saysPortcullis(String text) {
    return text.toLowerCase(Locale.ROOT).contains("portcullis");
  }

  @Test
  void demoServiceNeverMentionsPortcullis() throws IOException {
    try (Stream<Path> files = Files.walk(MODULE.resolve("src/main"))) {
      List<Path> all = files.filter(Files::isRegularFile).toList();

      assertThat(all).hasSizeGreaterThan(5);
      for (Path file : all) {
        assertThat(saysPortcullis(file.getFileName() + Files.readString(file)))
            .as(file.toString())
            .isFalse();
      }
    }
  }

  @Test
  void demoServicePomMentionsPortcullisOnlyAsParent() throws IOException {
    String pom = Files.readString(MODULE.resolve("pom.xml"));
    int from = pom.indexOf("<parent>");
    int to = pom.indexOf("</parent>");

    assertThat(from).isPositive();
    assertThat(saysPortcullis(pom.substring(0, from))).isFalse();
    assertThat(saysPortcullis(pom.substring(to))).isFalse();
  }
}
