package io.portcullis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the page about names in other designs uses existing names. */
class NamesPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern KEY =
      Pattern.compile("`(?:timing|redis|postgres|kubernetes|quorum)\\.([a-z-]+)`");
  private static final Pattern METRIC = Pattern.compile("`(portcullis_[a-z_]+)");

  private final String page = read("docs/names-in-other-designs.md");

  @Test
  void everyKeyIsInAReferenceConf() {
    String references =
        Stream.of("redis", "postgres", "quorum", "kubernetes")
            .map(NamesPageTest::reference)
            .reduce("", String::concat);

    assertThat(named(KEY)).isNotEmpty();
    assertThat(named(KEY)).allSatisfy(key -> assertThat(references).contains(" " + key + " "));
  }

  @Test
  void everyMetricIsDocumented() {
    String metrics = read("docs/observability.md");

    assertThat(named(METRIC)).filteredOn(name -> !name.equals("portcullis_leader")).isNotEmpty();
    assertThat(named(METRIC))
        .filteredOn(name -> !name.equals("portcullis_leader")) // The table in Postgres.
        .allSatisfy(name -> assertThat(metrics).contains("`" + name + "`"));
  }

  private List<String> named(Pattern pattern) {
    return pattern.matcher(page).results().map((MatchResult found) -> found.group(1)).toList();
  }

  private static String reference(String backend) {
    return read(
        "backends/%s/src/main/resources/io/portcullis/backend/%s/reference.conf"
            .formatted(backend, backend));
  }

  private static String read(String file) {
    try {
      return Files.readString(ROOT.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
