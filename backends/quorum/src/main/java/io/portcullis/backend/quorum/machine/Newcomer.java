package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.Message.Probe;
import io.portcullis.backend.quorum.machine.Message.Report;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A member without a ballot: a new one, or one whose disk was lost. It may have voted and promised
 * before, so it must not do either until that can do no harm.
 *
 * <ul>
 *   <li>If every other member has taken part in nothing, and has said so since this process
 *       started, nobody was ever elected: it begins at once.
 *   <li>Else it waits for the longest lease, so that any promise of its has ended, and so that
 *       every round that may have its vote is over. Then it asks anew. Any majority that it was
 *       part of has a member among so many others who keep their ballots; so it takes part only
 *       above the highest term they know.
 *   <li>If after that wait as many answer and none of them has taken part in anything, the election
 *       is new although not all members are there.
 * </ul>
 */
final class Newcomer {
  /** How often to ask members that have not answered. */
  private static final Duration AGAIN = Duration.ofMillis(500);

  private final QuorumConfig config;
  private final long startedNanos;
  private final Set<Integer> blank = new HashSet<>();
  private final Map<Integer, Report> reports = new HashMap<>();
  private Duration wait;
  private boolean waited;
  private @Nullable Long firstCounted;
  private long nextProbeNanos;
  private long highestTerm;

  Newcomer(QuorumConfig config, Moment now) {
    this.config = config;
    this.startedNanos = now.nanos();
    this.nextProbeNanos = now.nanos();
    this.wait = longer(config.lease(), config.longestLease());
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** A lease longer than any known: such a one may have been promised. */
  void hear(long term, Duration lease) {
    highestTerm = Math.max(highestTerm, term);
    wait = longer(wait, lease);
  }

  /** Whether it is time to ask again. */
  boolean wantsToProbe(Moment now) {
    if (!waited && now.hasReached(startedNanos + wait.toNanos())) {
      waited = true;
      nextProbeNanos = now.nanos();
    }
    if (!now.hasReached(nextProbeNanos)) {
      return false;
    }
    nextProbeNanos = now.plus(AGAIN);
    return true;
  }

  /** Asks those members whose answer is wanted. */
  void probe(List<Integer> members, Seat seat) {
    long sequence = seat.nextSequence();
    if (waited && firstCounted == null) {
      firstCounted = sequence;
    }
    for (int member : members) {
      if (misses(member)) {
        seat.send(member, new Probe(sequence));
      }
    }
  }

  /** True if this member's answer is still wanted. */
  boolean misses(int member) {
    Report last = reports.get(member);
    return waited ? last == null || !last.voter() : !blank.contains(member);
  }

  /** What it may begin with after this report to this process; null if it must go on learning. */
  @Nullable Ballot onReport(int from, Report report, Moment now) {
    hear(report.term(), Duration.ofMillis(report.leaseMillis()));
    waitLonger(now);
    if (report.term() == 0) {
      blank.add(from);
    }
    // Asked by this process, see Seat.hasAsked; now whether it was since the wait.
    if (firstCounted != null && report.sequence() - firstCounted >= 0) {
      reports.put(from, report);
    }
    if (config.trustsBlank() && blank.size() == config.size() - 1) {
      return Ballot.BLANK; // Whoever was elected meanwhile was so without this member's vote.
    }
    return waited ? afterTheWait() : null;
  }

  /** A longer lease that is heard of only now makes the wait begin to count anew. */
  private void waitLonger(Moment now) {
    if (waited && !now.hasReached(startedNanos + wait.toNanos())) {
      waited = false;
      firstCounted = null;
      reports.clear();
    }
  }

  private @Nullable Ballot afterTheWait() {
    long voters = reports.values().stream().filter(Report::voter).count();
    if (highestTerm > 0 && voters >= config.witnessesOfAnyMajority()) {
      return new Ballot(highestTerm, Ballot.SPENT, Duration.ZERO);
    }
    boolean allBlank = reports.values().stream().allMatch(report -> report.term() == 0);
    return highestTerm == 0 && allBlank && reports.size() >= config.witnessesOfAnyMajority()
        ? Ballot.BLANK
        : null;
  }

  long wakeAtNanos() {
    long waitOver = startedNanos + wait.toNanos();
    return waited || nextProbeNanos - waitOver < 0 ? nextProbeNanos : waitOver;
  }

  /** Why it does not vote yet. */
  String why() {
    return waited
        ? "this member has no saved vote and must hear from "
            + config.witnessesOfAnyMajority()
            + " others that have one"
        : "this member has no saved vote; it waits a lease and asks the others before it votes";
  }
}
