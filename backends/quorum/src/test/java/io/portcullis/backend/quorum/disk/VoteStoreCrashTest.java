package io.portcullis.backend.quorum.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that is killed in the middle of its saves. */
@Timeout(600)
class VoteStoreCrashTest {
  @TempDir Path data;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 17, 200})
  void nothingThatWasSavedIsLost(int saves) throws Exception {
    long last = 0;
    try (VoteStoreProcess other = VoteStoreProcess.start(data, "write")) {
      assertThat(other.says()).isEqualTo("open");
      while (last < saves) {
        last = Long.parseLong(other.says());
      }
      other.kill();
    }

    try (VoteStore box = VoteStore.open(data, "orders/writer", "a")) {
      assertThat(box.load().orElseThrow().term()).isGreaterThanOrEqualTo(last);
    }
  }
}
