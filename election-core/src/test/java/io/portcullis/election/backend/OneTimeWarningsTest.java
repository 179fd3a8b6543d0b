package io.portcullis.election.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.log.LogCapture;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OneTimeWarningsTest {
  private final OneTimeWarnings warnings =
      new OneTimeWarnings(LoggerFactory.getLogger(OneTimeWarningsTest.class));

  @Test
  void warningIsLoggedOncePerKey() {
    try (LogCapture log = LogCapture.holding("of the one-time test")) {
      warnings.warn("fsync", "fsync {} of the one-time test");
      warnings.warn("fsync", "again fsync of the one-time test");
      warnings.warn("replicas", "replicas of the one-time test");

      assertThat(log.list())
          .containsExactly(
              "WARN fsync {} of the one-time test", "WARN replicas of the one-time test");
    }
  }

  @Test
  void storesWarnIndependently() {
    OneTimeWarnings other = new OneTimeWarnings(LoggerFactory.getLogger("other"));

    assertThat(warnings.isFirst("fsync")).isTrue();
    assertThat(other.isFirst("fsync")).isTrue();
    assertThat(warnings.isFirst("fsync")).isFalse();
  }

  @Test
  void numberOfKeysIsBounded() {
    for (int i = 0; i < OneTimeWarnings.MAX_KEYS; i++) {
      assertThat(warnings.isFirst("key " + i)).isTrue();
    }
    assertThat(warnings.isFirst("one more")).isFalse();
  }

  @Test
  void onlyOneOfManyThreadsIsFirst() throws Exception {
    Callable<Long> attempt =
        () ->
            IntStream.range(0, OneTimeWarnings.MAX_KEYS)
                .filter(i -> warnings.isFirst("key " + i))
                .count();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      long first = 0;
      for (Future<Long> each : threads.invokeAll(List.of(attempt, attempt, attempt, attempt))) {
        first += each.get();
      }
      assertThat(first).isEqualTo(OneTimeWarnings.MAX_KEYS);
    } finally {
      threads.shutdownNow();
    }
  }
}
