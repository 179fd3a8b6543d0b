package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.NetworkContract;
import io.portcullis.election.contract.NetworkFaults;
import io.portcullis.election.contract.TimedStoreFixture;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresNetworkFaultsTest extends NetworkContract {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final PostgresFixture site = PostgresFixture.on(server);
  private final TcpProxy proxy = TcpProxy.to(server.host(), server.port());
  private final PostgresFixture behind =
      site.by("jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + "/postgres");

  @Override
  protected TimedStoreFixture site() {
    return site;
  }

  @Override
  protected TimedStoreFixture behind() {
    return behind;
  }

  @Override
  protected NetworkFaults faults() {
    return new NetworkFaults(proxy::dropSilently, proxy::dropReplies, proxy::delay, proxy::heal);
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void leaderThatReceivesNoRepliesShutsItsGateInTime() throws Exception {
    try (ContenderPair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.dropReplies();
      pair.awaitNobody();
      pair.watchFor(PostgresFixture.LEASE.multipliedBy(3));
      proxy.cut();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void cutConnectionEndsTheTenureBeforeItsLeaseEnds() throws Exception {
    try (ContenderPair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.cut();

      pair.awaitLeaderAbove(epoch);
      assertThat(pair.epoch()).isEqualTo(epoch + 1);
    }
  }
}
