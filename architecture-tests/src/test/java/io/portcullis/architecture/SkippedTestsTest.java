package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that {@code -DskipTests} skips every kind of test. */
class SkippedTestsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern FAILSAFE =
      Pattern.compile(
          "<artifactId>maven-failsafe-plugin</artifactId>\\s*<version>.*?</plugin>",
          Pattern.DOTALL);

  @Test
  void integrationTestsAreSkippedWithTheOthers() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    Matcher failsafe = FAILSAFE.matcher(pom);

    assertThat(failsafe.find()).isTrue();
    assertThat(failsafe.group()).contains("<skipTests>${skipTests}</skipTests>");
    assertThat(pom).contains("<skipTests>false</skipTests>");
  }
}
