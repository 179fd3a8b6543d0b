package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests that the Java examples of the README are those of the page about the library, which the
 * tests of the backends compile and run.
 */
class ReadmeExamplesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final int MAX_LINES = 10;

  private static List<String> examples(String page) throws IOException {
    return EXAMPLE
        .matcher(Files.readString(ROOT.resolve(page)))
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  @Test
  void everyJavaExampleIsOneThatIsCompiledAndRun() throws IOException {
    List<String> readme = examples("README.md");

    assertThat(readme).hasSize(4);
    assertThat(examples("docs/library.md")).containsAll(readme);
    assertThat(readme).allSatisfy(code -> assertThat(code.lines()).hasSizeLessThan(MAX_LINES + 1));
  }
}
