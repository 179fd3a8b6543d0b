package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.Pace;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.Pair;
import io.portcullis.election.log.LogLines;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A long outage fills no log. */
class AttackLogTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);
  private final TcpProxy proxy = TcpProxy.to(server.host(), server.port());
  private final Site behind =
      site.by("jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + "/postgres");

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void aLongBlackHoleIsNotToldOfForEver() throws Exception {
    Duration lease = Duration.ofSeconds(6);
    Timing timing =
        Timing.builder()
            .lease(lease)
            .renew(lease.dividedBy(2))
            .renewJitter(0.2)
            .retryUntilLapse(List.of(lease.dividedBy(24), lease.dividedBy(12)))
            .holdAfterLapse(lease)
            .whenHeld(Pace.between(Duration.ofMillis(200), Duration.ofMillis(800)))
            .whenUnknown(new Pace(Duration.ofMillis(200), Duration.ofSeconds(3), 0.2))
            .build();
    try (Pair pair = Pair.at(behind, behind, timing);
        LogLines lines = LogLines.holding("the store gives no answer")) {
      proxy.dropSilently();
      pair.watchFor(Duration.ofSeconds(30));
      int early = lines.list().size();
      pair.watchFor(Duration.ofSeconds(60));
      int late = lines.list().size() - early;
      long healed = System.nanoTime();
      proxy.heal();
      pair.awaitLeaderAbove(0);
      assertThat(late).isLessThan(3);
    }
  }
}
