package io.portcullis.election.machine;

import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.TimingBuilder;
import io.portcullis.election.machine.StepContext.ClockReading;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A node whose time and inputs the test controls. Lease 10 s, margin 200 ms, renewal every 3 s,
 * retries after 100 and 200 ms, requests time out after 1 s.
 */
final class ElectionDriver {
  static final String SELF = "self-1";
  static final String OTHER = "other-1";
  private static final String INCARNATION = "life-1";

  private final ElectionMachine machine;
  private Role role;
  private long millis;
  private long wallMillis = 1_000_000;
  private long calls;
  private List<Effect> effects = List.of();

  private ElectionDriver(Timing timing) {
    this.machine = new ElectionMachine(new ElectionConfig("scope", "writer", SELF, null, timing));
    this.role = machine.begin(Set.of(), moment());
  }

  static TimingBuilder timing() {
    return Timing.builder()
        .lease(Duration.ofSeconds(10))
        .renew(Duration.ofSeconds(3))
        .retryThenStepDown(List.of(Duration.ofMillis(100), Duration.ofMillis(200)))
        .askTimeout(Duration.ofSeconds(1))
        .heldBackoff(Backoff.steady(Duration.ofSeconds(2), 0))
        .unknownBackoff(Backoff.steady(Duration.ofSeconds(2), 0))
        .drain(Duration.ofSeconds(5));
  }

  static ElectionDriver standby() {
    return standby(timing());
  }

  static ElectionDriver standby(TimingBuilder timing) {
    return new ElectionDriver(timing.build()).tick();
  }

  /** Leads under {@code epoch}; the claim was sent at time 0 and granted at once. */
  static ElectionDriver leading(long epoch) {
    return leading(timing(), epoch);
  }

  static ElectionDriver leading(TimingBuilder timing, long epoch) {
    return standby(timing).granted(epoch);
  }

  StepContext moment() {
    return new StepContext(new ClockReading(millis * 1_000_000, wallMillis), 0.5, calls);
  }

  /** Advances both clocks without any input. */
  ElectionDriver after(long moreMillis) {
    millis += moreMillis;
    wallMillis += moreMillis;
    return this;
  }

  ElectionDriver wallJumps(long moreMillis) {
    wallMillis += moreMillis;
    return this;
  }

  ElectionDriver calls(long inFlight) {
    calls = inFlight;
    return this;
  }

  ElectionDriver tick() {
    return deliver(new Input.Tick());
  }

  ElectionDriver hint() {
    return deliver(new Input.Hint());
  }

  ElectionDriver shown(LeaseRecord record) {
    return deliver(new Input.RecordPushed(record));
  }

  ElectionDriver command(Command command) {
    return deliver(new Input.Ordered(command));
  }

  /** Completes the request in flight. */
  ElectionDriver answer(LeaseResponse answer) {
    RequestInFlight pending = role.pending();
    if (pending == null) {
      throw new IllegalStateException("no request was sent in " + role);
    }
    return answer(pending.sequence(), answer);
  }

  ElectionDriver answer(long sequence, LeaseResponse answer) {
    return deliver(new Input.Answered(sequence, answer));
  }

  ElectionDriver granted(long epoch) {
    return answer(new LeaseResponse.Granted(epoch, INCARNATION));
  }

  ElectionDriver unknown() {
    return answer(new LeaseResponse.Unknown("test"));
  }

  ElectionDriver sees(LeaseRecord record) {
    return answer(new LeaseResponse.HeldByOther(record));
  }

  private ElectionDriver deliver(Input input) {
    Step step = machine.step(role, input, moment());
    role = step.role();
    effects = step.effects();
    return this;
  }

  Role role() {
    return role;
  }

  List<Effect> effects() {
    return effects;
  }

  /** The request the last step sent, null if none. */
  @Nullable LeaseRequest asked() {
    return effects.stream()
        .filter(Effect.Ask.class::isInstance)
        .map(effect -> ((Effect.Ask) effect).request())
        .findFirst()
        .orElse(null);
  }

  long pendingSequence() {
    RequestInFlight pending = role.pending();
    return pending == null ? -1 : pending.sequence();
  }

  /**
   * Deadline with which the last step opened the gate, in milliseconds of test time; null if it did
   * not.
   */
  @Nullable Long openUntil() {
    return effects.stream()
        .filter(Effect.OpenGate.class::isInstance)
        .map(effect -> ((Effect.OpenGate) effect).grant().deadlineNanos() / 1_000_000)
        .findFirst()
        .orElse(null);
  }

  boolean shut() {
    return effects.contains(new Effect.ShutGate());
  }

  List<ElectionEvent> events() {
    return effects.stream()
        .filter(Effect.Announce.class::isInstance)
        .map(effect -> ((Effect.Announce) effect).event())
        .toList();
  }

  static LeaseRecord record(String holder, long epoch, String version) {
    return record(INCARNATION, holder, epoch, version, Duration.ofSeconds(10), false);
  }

  static LeaseRecord released(String holder, long epoch, String version) {
    return record(INCARNATION, holder, epoch, version, Duration.ofSeconds(10), true);
  }

  static LeaseRecord record(
      String life, String holder, long epoch, String version, Duration lease, boolean released) {
    return new LeaseRecord(
        new RecordVersion(life, holder, epoch, version), null, lease, lease, released);
  }
}
