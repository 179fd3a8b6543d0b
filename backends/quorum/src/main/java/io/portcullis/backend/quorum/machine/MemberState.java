package io.portcullis.backend.quorum.machine;

import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of one member, shared by the parts of the machine, with the effects that the current step
 * has produced so far.
 */
final class MemberState {
  private final QuorumConfig config;
  private final Voter voter;
  private final Peers peers;
  private final long startedNanos;
  private final List<QuorumEffect> out = new ArrayList<>();

  private RaftRole role = new RaftRole.Follower();
  private @Nullable KnownLeader knownLeader;
  private @Nullable VoteTally unansweredRound;
  private long highestHeard;
  private long releasedTerm;
  private long sequence;
  private long versions;

  MemberState(QuorumConfig config, Voter voter, MemberStepContext now) {
    this.config = config;
    this.voter = voter;
    this.peers = new Peers(config);
    this.startedNanos = now.nanos();
    this.sequence = config.firstSequence();
  }

  QuorumConfig config() {
    return config;
  }

  Voter voter() {
    return voter;
  }

  Peers peers() {
    return peers;
  }

  RaftRole role() {
    return role;
  }

  void take(RaftRole next) {
    role = next;
  }

  long uptimeSeconds(MemberStepContext now) {
    return Duration.ofNanos(now.nanos() - startedNanos).toSeconds();
  }

  // The leader, as far as this member has seen.

  @Nullable KnownLeader knownLeader() {
    return knownLeader;
  }

  boolean knowsLiveLeader(MemberStepContext now) {
    return role instanceof RaftRole.RaftLeader
        || (knownLeader != null && knownLeader.isLiveAt(now));
  }

  /** True if the leader of this term, or of a later one, has released its lease. */
  boolean isOver(long term) {
    return term <= releasedTerm;
  }

  /** Records that a leader is alive, unless a leader of a later term is known. */
  void see(int member, long term, Duration lease, long untilNanos) {
    if (isOver(term) || (knownLeader != null && term < knownLeader.term())) {
      return;
    }
    versions++;
    unansweredRound = null;
    Peers.MemberProcess process = peers.of(member);
    knownLeader =
        new KnownLeader(
            member,
            process.identity(),
            process.address(),
            term,
            versions,
            lease,
            untilNanos,
            false);
  }

  /** Records that no member leads in this term or an earlier one any more. */
  void end(long term) {
    releasedTerm = Math.max(releasedTerm, term);
    if (knownLeader != null && knownLeader.term() <= term && !knownLeader.released()) {
      versions++;
      knownLeader = knownLeader.over(versions);
    }
  }

  /** Records a term that another member has reached. */
  void hearOf(long term, MemberStepContext now) {
    if (voter.findsCredible(term, now)) {
      highestHeard = Math.max(highestHeard, term);
    }
  }

  /**
   * Returns a term above every term seen so far. It is never below the current Unix second, so
   * terms increase even if no member is left that remembers the last one.
   *
   * @throws EpochRangeException if there is no such term, or none that other members would accept
   */
  long nextTerm(long floor, MemberStepContext now) {
    long known = Math.max(Math.max(voter.term(), highestHeard), floor);
    long next = EpochRange.after(Math.max(known, now.unixSecond()));
    if (!voter.findsCredible(next, now)) {
      throw EpochRangeException.unreachable(known, voter.highestToFollow(now));
    }
    return next;
  }

  // Effects.

  /** Returns the effects of this step in order, and clears them for the next step. */
  List<QuorumEffect> takeEffects() {
    List<QuorumEffect> taken = List.copyOf(out);
    out.clear();
    return taken;
  }

  List<QuorumEffect> effects() {
    return out;
  }

  long nextSequence() {
    sequence++;
    return sequence;
  }

  /**
   * True if this process has sent a message with this sequence. A reply with any other sequence
   * belongs to an earlier process of this member and may report state from before this one started.
   */
  boolean hasAsked(long replySequence) {
    // Sequences start at a random value and may wrap, so only differences show the order.
    long distance = replySequence - config.firstSequence();
    return distance > 0 && distance <= sequence - config.firstSequence();
  }

  void send(int member, QuorumMessage message) {
    out.add(new QuorumEffect.Send(member, message));
  }

  void toOthers(QuorumMessage message) {
    for (int member = 0; member < config.size(); member++) {
      if (member != config.self()) {
        send(member, message);
      }
    }
  }

  void hint() {
    out.add(new QuorumEffect.Hint());
  }

  void grant(@Nullable Long ask, long term) {
    if (ask != null) {
      out.add(new QuorumEffect.Answer(ask, new LeaseResponse.Granted(term, config.cluster())));
    }
  }

  void unknown(@Nullable Long ask, String why) {
    if (ask != null) {
      out.add(new QuorumEffect.Answer(ask, new LeaseResponse.Unknown(why)));
    }
  }

  /** Responds to a request with the known leader. */
  void show(@Nullable Long ask, MemberStepContext now) {
    if (ask != null) {
      String cluster = config.cluster();
      LeaseRecord record =
          knownLeader == null ? LeaseRecord.none(cluster) : knownLeader.record(cluster, now);
      out.add(new QuorumEffect.Answer(ask, new LeaseResponse.HeldByOther(record)));
    }
  }

  /**
   * Responds to a request with the known leader, or with {@code Unknown} if no live leader is known
   * and no majority is reachable.
   */
  void showIfLinked(long ask, MemberStepContext now) {
    if (knowsLiveLeader(now) || peers.reachMajority()) {
      show(ask, now);
    } else {
      unknown(ask, peers.whyNoMajority(null));
    }
  }

  // Missing members.

  /** Ends a round. If no majority has replied, {@link #outage} reports it. */
  void roundIsOver(VoteTally poll) {
    unansweredRound = poll.isHeard() ? null : poll;
  }

  /** Discards the result of the last round, because the election no longer asks for the lease. */
  void forgetRounds() {
    unansweredRound = null;
  }

  /**
   * Describes which members are missing for a majority; null if enough have replied or a live
   * leader is known.
   */
  @Nullable String outage(MemberStepContext now) {
    if (role instanceof RaftRole.RaftLeader leader) {
      boolean overdue =
          now.hasReached(leader.sentAtNanos() + config.timing().timeoutMin().toNanos());
      return overdue && !leader.poll().isHeard() ? peers.whyNoMajority(leader.poll()) : null;
    }
    if (knowsLiveLeader(now)) {
      return null;
    }
    return unansweredRound != null || !peers.reachMajority()
        ? peers.whyNoMajority(unansweredRound)
        : null;
  }

  /**
   * The newest leader that this node has seen. It is shown to operators and delays this member's
   * campaign. It grants no right to lead: only promises do.
   *
   * @param member the member that leads or led
   * @param identity its process
   * @param address where it can be reached, null if it did not report one
   * @param version changes with every heartbeat or report of this leader
   * @param untilNanos until when it is assumed to lead if no further message arrives
   * @param released whether it is known to have stopped leading
   */
  record KnownLeader(
      int member,
      String identity,
      @Nullable String address,
      long term,
      long version,
      Duration lease,
      long untilNanos,
      boolean released) {

    boolean isLiveAt(MemberStepContext now) {
      return !released && !now.hasReached(untilNanos);
    }

    KnownLeader over(long nextVersion) {
      return new KnownLeader(member, identity, address, term, nextVersion, lease, untilNanos, true);
    }

    LeaseRecord record(String cluster, MemberStepContext now) {
      Duration left = Duration.ofNanos(Math.max(0, untilNanos - now.nanos()));
      RecordVersion stamp = new RecordVersion(cluster, identity, term, Long.toString(version));
      return new LeaseRecord(stamp, address, lease, released ? Duration.ZERO : left, released);
    }
  }
}
