package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server whose wall clock is set forward while its monotonic clock continues. */
class RedisServerClockTest {
  private static final List<Path> LIBRARIES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1"),
          Path.of("/usr/lib64/faketime/libfaketime.so.1"));

  @TempDir private Path folder;

  private static Path library() {
    assumeTrue(
        LIBRARIES.stream().anyMatch(Files::exists),
        "libfaketime is not installed; it sets the clock of a server");
    return LIBRARIES.stream().filter(Files::exists).findFirst().orElseThrow();
  }

  @Test
  void unseenRenewalBeforeClockStepIsWaitedOut() throws IOException {
    Path clock = Files.writeString(folder.resolve("clock"), "+0s\n");
    try (RedisServer server = RedisFixture.grown(RedisServer.startWithClock(library(), clock))) {
      RedisFixture site = RedisFixture.on(server);
      try (Claimant a = site.claimant("a");
          Claimant b = site.claimant("b")) {
        Granted won = a.lead();
        LeaseRecord before = b.look();
        assertThat(a.renew(won.epoch())).isInstanceOf(Granted.class);

        Files.writeString(clock, "+60s\n");
        LeaseRecord after = b.look();

        assertThat(site.command("EXISTS", site.keys().lease())).isEqualTo("0");
        assertThat(after.epoch()).isEqualTo(before.epoch());
        assertThat(after.recordVersion()).isNotEqualTo(before.recordVersion());
        assertThat(after.remaining()).isEqualTo(after.lease());
      }
    }
  }
}
