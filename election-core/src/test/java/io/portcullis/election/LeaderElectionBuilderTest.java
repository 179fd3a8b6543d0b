package io.portcullis.election;

import static io.portcullis.election.ElectionNodes.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.NodeIdentity.HostName;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.election.config.Timing;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.LeaseStore;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class LeaderElectionBuilderTest {
  private final StorePlan lease = new InProcessPlan(new InProcessLease());

  @Test
  void identityIsUniqueUnlessItIsSet() {
    try (LeaderElection one = LeaderElection.on(lease).build();
        LeaderElection other = LeaderElection.on(lease).build();
        LeaderElection named = LeaderElection.on(lease).identity("a").build()) {
      String pid = "-" + ProcessHandle.current().pid() + "-";
      assertThat(one.config().identity()).startsWith(HostName.ofThisMachine() + pid);
      assertThat(one.config().identity()).isNotEqualTo(other.config().identity());
      assertThat(named.config().identity()).isEqualTo("a");
    }
  }

  @Test
  void everyOptionReachesTheElection() {
    try (LeaderElection election =
        LeaderElection.on(lease)
            .scope("orders")
            .name("writer")
            .identity("a")
            .address("http://a:8080")
            .priority(3)
            .build()) {
      assertThat(election.config())
          .isEqualTo(
              new ElectionConfig("orders", "writer", "a", "http://a:8080", lease.timing(), 3));
      assertThat(election.role()).isEqualTo(RoleName.OFF);
    }
  }

  @Test
  void everyMissingValueIsNamed() {
    assertThatThrownBy(() -> LeaderElection.on(lease).scope("").name(" ").identity("").build())
        .isInstanceOf(InvalidElectionException.class)
        .hasMessageContainingAll("scope is missing", "name is missing", "identity is missing");
  }

  @Test
  void listenersReceiveEpochAndHolder() throws Exception {
    Queue<String> events = new ConcurrentLinkedQueue<>();
    ElectionListener listener =
        new ElectionListener() {
          @Override
          public void startedLeading(Tenure tenure) {
            events.add("started " + tenure.identity() + " " + tenure.epoch());
          }

          @Override
          public void newLeader(Leader leader) {
            events.add("leader " + leader.identity() + " " + leader.epoch());
          }
        };

    try (LeaderElection election =
        LeaderElection.on(lease).identity("a").listener(listener).start()) {
      assertThat(election.awaitLeadership(LONG)).isTrue();
      long epoch = election.epoch();

      await().atMost(LONG).until(() -> events.size() == 2);
      assertThat(events).containsExactlyInAnyOrder("started a " + epoch, "leader a " + epoch);
      assertThat(election.requireLeader().identity()).isEqualTo("a");
    }
  }

  @Test
  void onlyOneOfTwoLeadsAtOnce() throws Exception {
    long epoch;
    try (LeaderElection first = LeaderElection.on(lease).once(LONG);
        LeaderElection second = LeaderElection.on(lease).once(LONG)) {
      assertThat(first.isLeader()).isTrue();
      assertThat(second.isLeader()).isFalse();
      epoch = first.epoch();
    }
    try (LeaderElection next = LeaderElection.on(lease).once(LONG)) {
      assertThat(next.isLeader()).isTrue();
      assertThat(next.epoch()).isGreaterThan(epoch);
    }
  }

  private record InProcessPlan(InProcessLease lease) implements StorePlan {
    @Override
    public Timing timing() {
      return ElectionNodes.config("a").timing();
    }

    @Override
    public String storeKey() {
      return "in-process";
    }

    @Override
    public String describe() {
      return "in-process";
    }

    @Override
    public LeaseStore open(ElectionConfig config) {
      return lease.connect();
    }
  }
}
