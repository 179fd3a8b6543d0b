package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.QuorumConfig.MemberIdentity;
import io.portcullis.backend.quorum.machine.QuorumConfig.MemberTiming;
import io.portcullis.backend.quorum.machine.QuorumConfig.Membership;
import java.time.Duration;
import java.util.List;

/**
 * The election a {@link MachineDriver} takes part in, as member {@code b} of {@code a, b, c …}:
 * leases of 10 s, of 12 s at most; a round lasts 1 s, and so does the wait before it.
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
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

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
        new Membership(CLUSTER, NAMES.subList(0, size), SELF),
        new MemberIdentity("b-1", null, 5, candidate),
        new MemberTiming(
            Duration.ofMillis(LEASE),
            Duration.ofMillis(MAX_LEASE),
            Duration.ofMillis(ROUND),
            Duration.ofMillis(2 * ROUND)),
        trustsBlank,
        firstSequence);
  }

  /** A member that was there in this term, voted for nobody in it, and never promised anything. */
  MachineDriver voterIn(long term) {
    return voter(new HardState(term, null, Duration.ZERO));
  }

  MachineDriver voter(HardState stored) {
    return new MachineDriver(this, stored, null);
  }

  /** A member without a ballot, linked with all others. */
  MachineDriver newcomer() {
    MachineDriver puppet = new MachineDriver(this, null, null);
    for (int member = 0; member < size; member++) {
      if (member != SELF) {
        puppet.linked(member);
      }
    }
    return puppet;
  }

  /** The same after its wait, which began with all others telling it this term. */
  MachineDriver newcomerAfterTheWait(long term) {
    MachineDriver puppet = newcomer();
    for (int member = 0; member < size; member++) {
      if (member != SELF) {
        puppet.report(member, term);
      }
    }
    return puppet.after(MAX_LEASE).tick();
  }

  /** A member that can't read its ballot. */
  MachineDriver unfit() {
    return new MachineDriver(this, null, "spoilt");
  }

  /** Elected in term 2 by {@code a} (and {@code c} of five); nobody has promised anything yet. */
  MachineDriver elected() {
    MachineDriver puppet = voterIn(1).acquire().after(ROUND).tick();
    return size == 3 ? puppet.preVotes(A).votes(A) : puppet.preVotes(A, C).votes(A, C);
  }
}
