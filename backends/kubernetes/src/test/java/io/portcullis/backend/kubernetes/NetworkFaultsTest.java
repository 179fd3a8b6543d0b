package io.portcullis.backend.kubernetes;

import static io.portcullis.election.contract.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.NetworkContract;
import io.portcullis.election.contract.NetworkFaults;
import io.portcullis.election.contract.Pair;
import io.portcullis.election.contract.TimedPlace;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.Request;
import io.portcullis.election.store.Stamp;
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
  @RegisterExtension final FaultySite site = new FaultySite();
  private final TcpProxy proxy = TcpProxy.to("127.0.0.1", site.server().port());
  private final TimedPlace behind = new Behind(site, proxy, site.folder().resolve("pod"));

  /** The same Lease by way of the proxy. */
  private record Behind(FaultySite site, TcpProxy proxy, Path folder) implements TimedPlace {
    @Override
    public Timing timing() {
      return site.timing();
    }

    @Override
    public LeaseStore open(ElectionConfig config) {
      Access access =
          new Access.InCluster(
              "http://" + proxy.host() + ":" + proxy.port(), site.server().serviceAccount(folder));
      LeaseName name = new LeaseName(ApiServer.NAMESPACE, FaultySite.NAME);
      KubernetesLease lease = new KubernetesLease(config.timing(), access, name, null);
      return lease.open(FaultySite.inOneScope(config));
    }

    @Override
    public void wipe() {
      site.wipe();
    }
  }

  @BeforeEach
  void warm() {
    FaultySite.warm(behind);
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Override
  protected TimedPlace site() {
    return site;
  }

  @Override
  protected TimedPlace behind() {
    return behind;
  }

  @Override
  protected NetworkFaults faults() {
    return new NetworkFaults(proxy::dropSilently, proxy::dropReplies, proxy::delay, proxy::heal);
  }

  @Test
  void aRequestWithoutAnAnswerIsGivenUpInTimeAndTheNextOneIsAnswered() {
    try (Claimant a = behind.claimant("a", site.timing().askTimeout())) {
      FaultySite.awaitAnswer(a);
      proxy.dropSilently();

      long asked = System.nanoTime();
      Answer answer = a.ask(new Request.Look());
      Duration took = Duration.ofNanos(System.nanoTime() - asked);
      proxy.heal();

      assertThat(((Answer.Unknown) answer).why()).contains("no answer within");
      assertThat(took).isGreaterThan(Duration.ofMillis(700));
      await().atMost(LONG).until(() -> a.ask(new Request.Look()) instanceof Answer.HeldByOther);
    }
  }

  @Test
  void aGrantWhoseReplyWasLostIsFoundInTheRecord() {
    try (Claimant a = behind.claimant("a", Duration.ofSeconds(4));
        Claimant b = site.claimant("b")) {
      Stamp ground = Claimant.shown(a.acquire(a.claim())).stamp();
      proxy.dropReplies();

      Answer answer = a.acquire(a.claim(ground));

      assertThat(answer).isInstanceOf(Answer.Unknown.class);
      LeaseRecord shown = b.look();
      assertThat(shown.holder()).isEqualTo("a");
      assertThat(shown.isHeld()).isTrue();
    }
  }

  @Test
  void aLeaderWhoseRepliesAreLostShutsItsGateInTime() throws Exception {
    try (Pair pair = behind.pairWith(site)) {
      proxy.dropReplies();

      site.awaitShutByDeadline(pair.first());
      pair.watchFor(site.timing().lease());
      proxy.heal(); // All the time its renewals were carried out.
      pair.awaitLeaderAbove(0);
    }
  }

  @Test
  void cutConnectionsCostNoTenure() throws Exception {
    try (Pair pair = behind.steadyPairWith(site)) {
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
