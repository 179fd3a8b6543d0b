package io.portcullis.backend.quorum.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerConnectorTest {
  private static final int SELF = 0;
  private static final int PEER = 1;

  private final ClusterIdentity cluster =
      new ClusterIdentity(
          "c",
          List.of(new MemberEndpoint("a", "127.0.0.1", 1), new MemberEndpoint("b", "127.0.0.1", 2)),
          SELF);
  private final HostResolver hostResolver = new HostResolver("c", 1, host -> new InetAddress[0]);
  private final LinkTable linkTable = new LinkTable(2);

  @AfterEach
  void close() {
    hostResolver.close();
  }

  @Test
  void pausesDoubleUpToASecond() {
    List<Duration> pauses = pausesOf(connector(), 8);

    for (int i = 0; i < pauses.size(); i++) {
      Duration longest = Duration.ofMillis(Math.min(1000, 50L << i));
      assertThat(pauses.get(i)).isBetween(longest.dividedBy(2).minusNanos(10), longest);
    }
  }

  @Test
  void membersThatLoseAPeerTogetherDialAtDifferentTimes() {
    assertThat(pausesOf(connector(), 8)).isNotEqualTo(pausesOf(connector(), 8));
  }

  @Test
  void lostConnectionThatWasStableIsRedialledAtOnce() {
    PeerConnector connector = connector();
    long now = System.nanoTime();
    pausesOf(connector, 8);

    connector.lost(PEER, NetworkLimits.MIN_STABLE_NANOS, now);
    assertThat(connector.quietNanos(linkTable, now)).isZero();
    assertThat(pauseAfterFailure(connector, now))
        .isBetween(Duration.ofMillis(24), Duration.ofMillis(50));
  }

  @Test
  void lostConnectionThatWasShortLivedIsRedialledLater() {
    PeerConnector connector = connector();
    long now = System.nanoTime();

    connector.lost(PEER, NetworkLimits.MIN_STABLE_NANOS - 1, now);
    assertThat(connector.quietNanos(linkTable, now)).isPositive();
  }

  /** A connector that has checked its own address. */
  private PeerConnector connector() {
    PeerConnector connector =
        new PeerConnector(
            cluster,
            hostResolver,
            new ThrottledWarnings("c", "a", new NetworkStats()),
            (member, address) -> {},
            () -> {});
    connector.failed(SELF, "refused", linkTable, System.nanoTime());
    return connector;
  }

  private List<Duration> pausesOf(PeerConnector connector, int failures) {
    List<Duration> pauses = new ArrayList<>();
    long now = System.nanoTime();
    for (int i = 0; i < failures; i++) {
      pauses.add(pauseAfterFailure(connector, now));
    }
    return pauses;
  }

  private Duration pauseAfterFailure(PeerConnector connector, long now) {
    connector.failed(PEER, "refused", linkTable, now);
    return Duration.ofNanos(connector.quietNanos(linkTable, now));
  }
}
