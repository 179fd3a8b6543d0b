package io.portcullis.agent.node;

import io.portcullis.agent.node.Node.NodeInfo;
import io.portcullis.election.NodeIdentity;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.TimingBuilder;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A participant on a lease in this process, with its own gate. */
public final class ParticipantFixture implements AutoCloseable {
  /** Far longer than any step takes, so that a timeout shows that it never happens. */
  public static final Duration LONG = Duration.ofMinutes(2);

  private static final Duration LEASE = Duration.ofSeconds(20);

  private final String name = "election-" + UUID.randomUUID();
  private final String identity = NodeIdentity.unique("a");
  private final ElectionGate gate = Gate.addElection(name);
  private final StartupGrace startupGrace = new StartupGrace(LONG);
  private final TransitionHistory transitions = new TransitionHistory();
  private final Participant participant;

  private ParticipantFixture(InProcessLease lease, Duration renew, WithdrawalReason... absences) {
    this(lease.connect(), timing().lease(LEASE).renew(renew).build(), Set.of(absences));
  }

  private ParticipantFixture(LeaseStore store, Timing timing, Set<WithdrawalReason> absences) {
    this(store, timing, absences, 0);
  }

  private ParticipantFixture(
      LeaseStore store, Timing timing, Set<WithdrawalReason> absences, int priority) {
    ElectionConfig config =
        new ElectionConfig("orders", name, identity, "http://" + identity, timing, priority);
    this.participant =
        new Participant(
            config,
            "trial",
            new Plan(store, timing),
            gate,
            startupGrace,
            transitions,
            absences,
            Duration.ofMinutes(1));
  }

  private static TimingBuilder timing() {
    return Timing.builder()
        .heldBackoff(Backoff.steady(Duration.ofMillis(20), 0.2))
        .unknownBackoff(Backoff.steady(Duration.ofMillis(20), 0.2));
  }

  /** Participates at once. */
  public static ParticipantFixture on(InProcessLease lease) {
    return started(new ParticipantFixture(lease, Duration.ofMillis(50)));
  }

  /** Participates at once, and renews so rarely that a gate shut by the test stays shut. */
  public static ParticipantFixture withLongRenewInterval(InProcessLease lease) {
    return started(new ParticipantFixture(lease, Duration.ofSeconds(6)));
  }

  /** Participates, but must not campaign before it is ready. */
  public static ParticipantFixture notReady(InProcessLease lease) {
    return started(
        new ParticipantFixture(lease, Duration.ofMillis(50), WithdrawalReason.NOT_READY));
  }

  /** Participates, but must not campaign before its health was good. */
  public static ParticipantFixture unchecked(InProcessLease lease) {
    return started(
        new ParticipantFixture(lease, Duration.ofMillis(50), WithdrawalReason.INELIGIBLE));
  }

  /** Participates with a higher priority, and requests leadership after a minute of good health. */
  static ParticipantFixture preferred(InProcessLease lease, WithdrawalReason... absences) {
    Timing timing = timing().lease(LEASE).renew(Duration.ofMillis(50)).build();
    return started(new ParticipantFixture(lease.connect(), timing, Set.of(absences), 5));
  }

  /** Participates at once, and soon considers heartbeats stale. */
  static ParticipantFixture missingSoon(LeaseStore store) {
    Duration lease = Duration.ofMillis(300);
    return started(
        new ParticipantFixture(store, timing().lease(lease).stale(lease).build(), Set.of()));
  }

  private static ParticipantFixture started(ParticipantFixture member) {
    member.participant.start();
    return member;
  }

  public String identity() {
    return identity;
  }

  public ElectionGate gate() {
    return gate;
  }

  public StartupGrace startupGrace() {
    return startupGrace;
  }

  public TransitionHistory transitions() {
    return transitions;
  }

  public Participant participant() {
    return participant;
  }

  public ElectionView view() {
    return participant.view();
  }

  /** The node with only this election. */
  public Node node() {
    return new Node(
        new NodeInfo(identity, "orders", "1.2.3", "enforce"),
        List.of(participant),
        List::of,
        List::of,
        transitions);
  }

  @Override
  public void close() {
    participant.close();
  }

  private record Plan(LeaseStore store, Timing timing) implements StorePlan {
    @Override
    public String storeKey() {
      return "in-process";
    }

    @Override
    public String describe() {
      return "a lease in this process";
    }

    @Override
    public boolean carriesPriorityRequestOf(int priority) {
      return priority > 0;
    }

    @Override
    public LeaseStore open(ElectionConfig config) {
      return store;
    }
  }
}
