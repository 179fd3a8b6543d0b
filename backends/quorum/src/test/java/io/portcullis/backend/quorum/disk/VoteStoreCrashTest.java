package io.portcullis.backend.quorum.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills a process while it saves. */
@Timeout(600)
class VoteStoreCrashTest {
  @TempDir Path data;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 17, 200})
  void noSavedVoteIsLostIfTheProcessIsKilled(int saves) throws Exception {
    long last = 0;
    try (VoteStoreProcess writer = VoteStoreProcess.start(data, "write")) {
      assertThat(writer.readLine()).isEqualTo("open");
      while (last < saves) {
        last = Long.parseLong(writer.readLine());
      }
      writer.kill();
    }

    try (VoteStore store = VoteStore.open(data, "orders/writer", "a")) {
      assertThat(store.load().orElseThrow().term()).isGreaterThanOrEqualTo(last);
    }
  }
}
