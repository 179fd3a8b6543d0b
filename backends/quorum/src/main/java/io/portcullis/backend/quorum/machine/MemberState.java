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

/** What a member is and knows, and its voice: shared by all that it does in one step. */
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

  // Who leads, as far as this member knows.

  @Nullable KnownLeader knownLeader() {
    return knownLeader;
  }

  boolean knowsLiveLeader(MemberStepContext now) {
    return role instanceof RaftRole.Leader || (knownLeader != null && knownLeader.isLiveAt(now));
  }

  /** True if the leader of this term has let go, or a later one has. */
  boolean isOver(long term) {
    return term <= releasedTerm;
  }

  /** A sign of life of a leader, unless a later one is known. */
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

  /** Nobody leads in this term any more, nor in any before. */
  void end(long term) {
    releasedTerm = Math.max(releasedTerm, term);
    if (knownLeader != null && knownLeader.term() <= term && !knownLeader.released()) {
      versions++;
      knownLeader = knownLeader.over(versions);
    }
  }

  /** Somebody has come as far as this term. */
  void hearOf(long term, MemberStepContext now) {
    if (voter.findsCredible(term, now)) {
      highestHeard = Math.max(highestHeard, term);
    }
  }

  /**
   * A term that nobody known has come to. It never lies below the present second, so that terms
   * rise also where nobody is left who knows the last one.
   *
   * @throws EpochRangeException if there is none, or none that the others would believe
   */
  long nextTerm(long floor, MemberStepContext now) {
    long known = Math.max(Math.max(voter.term(), highestHeard), floor);
    long next = EpochRange.after(Math.max(known, now.unixSecond()));
    if (!voter.findsCredible(next, now)) {
      throw EpochRangeException.unreachable(known, voter.highestToFollow(now));
    }
    return next;
  }

  // The voice.

  /** What is to be done, in order; those that come hereafter belong to the next step. */
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
   * True if this process has asked under this sequence. A reply that bears another is one to an
   * earlier process of this member, and may tell what was true before this one started.
   */
  boolean hasAsked(long replySequence) {
    // Sequences begin anywhere and may wrap: only distances say what came first.
    long place = replySequence - config.firstSequence();
    return place > 0 && place <= sequence - config.firstSequence();
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

  /** Answers by what is known of the leader. */
  void show(@Nullable Long ask, MemberStepContext now) {
    if (ask != null) {
      String cluster = config.cluster();
      LeaseRecord record =
          knownLeader == null ? LeaseRecord.none(cluster) : knownLeader.record(cluster, now);
      out.add(new QuorumEffect.Answer(ask, new LeaseResponse.HeldByOther(record)));
    }
  }

  /** The same, unless this member is cut off and knows nothing. */
  void showIfLinked(long ask, MemberStepContext now) {
    if (knowsLiveLeader(now) || peers.reachMajority()) {
      show(ask, now);
    } else {
      unknown(ask, peers.whyNoMajority(null));
    }
  }

  // Whom it misses.

  /** A round is over; whether a majority has answered decides what people are told. */
  void roundIsOver(VoteTally poll) {
    unansweredRound = poll.isHeard() ? null : poll;
  }

  /** It does not want to lead any more: how its last round went is no news. */
  void forgetRounds() {
    unansweredRound = null;
  }

  /** Who is missing for a majority; null if enough are heard, or the leader they have. */
  @Nullable String outage(MemberStepContext now) {
    if (role instanceof RaftRole.Leader leader) {
      boolean overdue = now.hasReached(leader.sentAtNanos() + config.timeoutMin().toNanos());
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
   * The newest leader this node knows of. It is what people are shown and what paces the own
   * campaign; nobody leads by it, since only promises decide who may.
   *
   * @param member who leads or led
   * @param identity its process
   * @param address where it can be reached, if it said so
   * @param term its term
   * @param version changes with each sign of life
   * @param lease its lease
   * @param untilNanos until when it is believed to lead if nothing more is heard
   * @param released whether it is known to lead no more
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
