package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.QuorumConfig.MemberIdentity;
import io.portcullis.backend.quorum.machine.QuorumConfig.MemberTiming;
import io.portcullis.backend.quorum.machine.QuorumConfig.Membership;
import java.time.Duration;
import java.util.List;

/**
 * Configures a {@link MachineDriver} as member {@code b} of {@code a, b, c …}: the lease is 10 s,
 * the longest lease 12 s; a round lasts 1 s, and so does the wait before it.
 */
final class MachineDriverBuilder {
  static final int A = 0;
  static final int C = 2;
  static final int D = 3;
  static final int E = 4;
  static final String CLUSTER = "orders/writer";
  static final long LEASE = 10_000;
  static final long MAX_LEASE = 12_000;
  static final long ROUND = 1_000;

  private static final int SELF = 1;
  private static final List<String> IDS = List.of("a", "b", "c", "d", "e");

  private final int size;
  private boolean trustsBlank = true;
  private boolean candidate = true;
  private long firstSequence = 1_000;

  private MachineDriverBuilder(int size) {
    this.size = size;
  }

  static MachineDriverBuilder of(int size) {
    return new MachineDriverBuilder(size);
  }

  MachineDriverBuilder withoutTrustInBlankMembers() {
    trustsBlank = false;
    return this;
  }

  MachineDriverBuilder asWitness() {
    candidate = false;
    return this;
  }

  MachineDriverBuilder countingFrom(long sequence) {
    firstSequence = sequence;
    return this;
  }

  QuorumConfig config() {
    return new QuorumConfig(
        new Membership(CLUSTER, IDS.subList(0, size), SELF),
        new MemberIdentity("b-1", null, 5, candidate),
        new MemberTiming(
            Duration.ofMillis(LEASE),
            Duration.ofMillis(MAX_LEASE),
            Duration.ofMillis(ROUND),
            Duration.ofMillis(2 * ROUND)),
        trustsBlank,
        firstSequence);
  }

  /** A member that has seen this term, has not voted in it, and has never promised. */
  MachineDriver voterIn(long term) {
    return voter(new HardState(term, null, Duration.ZERO));
  }

  MachineDriver voter(HardState stored) {
    return new MachineDriver(this, stored, null);
  }

  /** A recovering member, connected with all others. */
  MachineDriver recovering() {
    MachineDriver driver = new MachineDriver(this, null, null);
    for (int member = 0; member < size; member++) {
      if (member != SELF) {
        driver.linked(member);
      }
    }
    return driver;
  }

  /** A recovering member after its wait, which began with a report of this term by all others. */
  MachineDriver recoveringAfterTheWait(long term) {
    MachineDriver driver = recovering();
    for (int member = 0; member < size; member++) {
      if (member != SELF) {
        driver.report(member, term);
      }
    }
    return driver.after(MAX_LEASE).tick();
  }

  /** A member that can't read its ballot, so it never votes. */
  MachineDriver withUnreadableHardState() {
    return new MachineDriver(this, null, "corrupt");
  }

  /** A leader elected in term 2 by {@code a} (of five, also by {@code c}), without promises yet. */
  MachineDriver elected() {
    MachineDriver driver = voterIn(1).acquire().after(ROUND).tick();
    return size == 3 ? driver.preVotes(A).votes(A) : driver.preVotes(A, C).votes(A, C);
  }
}
