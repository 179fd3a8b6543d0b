package io.portcullis.backend.kubernetes;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.NetworkContract;
import io.portcullis.election.contract.NetworkFaults;
import io.portcullis.election.contract.TimedStoreFixture;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.RecordVersion;
import io.portcullis.servers.TcpProxy;
import io.portcullis.servers.kubernetes.ApiServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class NetworkFaultsTest extends NetworkContract {
  @RegisterExtension final FaultyLeaseFixture site = new FaultyLeaseFixture();
  private final TcpProxy proxy = TcpProxy.to("127.0.0.1", site.server().port());
  private final TimedStoreFixture behind =
      new ProxiedFixture(site, proxy, site.folder().resolve("pod"));

  /** The same Lease through the proxy. */
  private record ProxiedFixture(FaultyLeaseFixture site, TcpProxy proxy, Path folder)
      implements TimedStoreFixture {
    @Override
    public Timing timing() {
      return site.timing();
    }

    @Override
    public LeaseStore open(ElectionConfig config) {
      KubernetesAccess access =
          new KubernetesAccess.InCluster(
              "http://" + proxy.host() + ":" + proxy.port(), site.server().serviceAccount(folder));
      LeaseName name = new LeaseName(ApiServer.NAMESPACE, FaultyLeaseFixture.NAME);
      KubernetesLease lease = new KubernetesLease(config.timing(), access, name, null);
      return lease.open(FaultyLeaseFixture.inOneScope(config));
    }

    @Override
    public void wipe() {
      site.wipe();
    }
  }

  @BeforeEach
  void warm() {
    FaultyLeaseFixture.warm(behind);
  }

  @AfterEach
  void close() {
    proxy.close();
  }

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

  @Test
  void unansweredRequestTimesOutAndTheNextIsAnswered() {
    try (Claimant a = behind.claimant("a", site.timing().askTimeout())) {
      FaultyLeaseFixture.awaitAnswer(a);
      proxy.dropSilently();

      long asked = System.nanoTime();
      LeaseResponse answer = a.ask(new LeaseRequest.Look());
      Duration took = Duration.ofNanos(System.nanoTime() - asked);
      proxy.heal();

      assertThat(((LeaseResponse.Unknown) answer).why()).contains("no response within");
      assertThat(took).isGreaterThan(Duration.ofMillis(700));
      await()
          .atMost(MAX_WAIT)
          .until(() -> a.ask(new LeaseRequest.Look()) instanceof LeaseResponse.HeldByOther);
    }
  }

  @Test
  void grantWhoseReplyWasLostIsFoundInTheRecord() {
    try (Claimant a = behind.claimant("a", Duration.ofSeconds(4));
        Claimant b = site.claimant("b")) {
      RecordVersion ground = Claimant.shown(a.acquire(a.claim())).recordVersion();
      proxy.dropReplies();

      LeaseResponse answer = a.acquire(a.claim(ground));

      assertThat(answer).isInstanceOf(LeaseResponse.Unknown.class);
      LeaseRecord shown = b.look();
      assertThat(shown.holder()).isEqualTo("a");
      assertThat(shown.isHeld()).isTrue();
    }
  }

  @Test
  void leaderThatReceivesNoRepliesShutsItsGateInTime() throws Exception {
    try (ContenderPair pair = behind.pairWith(site)) {
      proxy.dropReplies();

      site.awaitShutByDeadline(pair.first());
      pair.watchFor(site.timing().lease());
      proxy.heal(); // The server still executes its renewals.
      pair.awaitLeaderAbove(0);
    }
  }

  @Test
  void cutConnectionsCostNoTenure() throws Exception {
    try (ContenderPair pair = behind.steadyPairWith(site)) {
      long epoch = pair.epoch();

      for (int i = 0; i < 5; i++) {
        proxy.cut();
        pair.watchFor(Duration.ofMillis(300));
      }

      assertThat(pair.first().epoch()).isEqualTo(epoch);
      assertThat(pair.first().isLeader()).isTrue();
    }
  }
}
