package io.portcullis.backend.quorum.machine;

import io.portcullis.election.store.Answer;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import io.portcullis.election.store.LeaseRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a member is and knows, and its voice: shared by all that it does in one step. */
final class Seat {
  private final QuorumConfig config;
  private final Voter voter;
  private final Peers peers;
  private final long startedNanos;
  private final List<Effect> out = new ArrayList<>();

  private Stance stance = new Stance.Follower();
  private @Nullable Sight sight;
  private @Nullable Poll unheard;
  private long highestHeard;
  private long releasedTerm;
  private long sequence;
  private long versions;

  Seat(QuorumConfig config, Voter voter, Moment now) {
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

  Stance stance() {
    return stance;
  }

  void take(Stance next) {
    stance = next;
  }

  long uptimeSeconds(Moment now) {
    return Duration.ofNanos(now.nanos() - startedNanos).toSeconds();
  }

  // Who leads, as far as this member knows.

  @Nullable Sight sight() {
    return sight;
  }

  boolean seesALeader(Moment now) {
    return stance instanceof Stance.Leader || (sight != null && sight.isLiveAt(now));
  }

  /** True if the leader of this term has let go, or a later one has. */
  boolean isOver(long term) {
    return term <= releasedTerm;
  }

  /** A sign of life of a leader, unless a later one is known. */
  void see(int member, long term, Duration lease, long untilNanos) {
    if (isOver(term) || (sight != null && term < sight.term())) {
      return;
    }
    versions++;
    unheard = null;
    Peers.Spokesman process = peers.of(member);
    sight =
        new Sight(
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
    if (sight != null && sight.term() <= term && !sight.released()) {
      versions++;
      sight = sight.over(versions);
    }
  }

  /** Somebody has come as far as this term. */
  void hearOf(long term, Moment now) {
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
  long nextTerm(long floor, Moment now) {
    long known = Math.max(Math.max(voter.term(), highestHeard), floor);
    long next = EpochRange.after(Math.max(known, now.unixSecond()));
    if (!voter.findsCredible(next, now)) {
      throw EpochRangeException.unreachable(known, voter.highestToFollow(now));
    }
    return next;
  }

  // The voice.

  /** What is to be done, in order; those that come hereafter belong to the next step. */
  List<Effect> takeEffects() {
    List<Effect> taken = List.copyOf(out);
    out.clear();
    return taken;
  }

  List<Effect> effects() {
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

  void send(int member, Message message) {
    out.add(new Effect.Send(member, message));
  }

  void toOthers(Message message) {
    for (int member = 0; member < config.size(); member++) {
      if (member != config.self()) {
        send(member, message);
      }
    }
  }

  void hint() {
    out.add(new Effect.Hint());
  }

  void grant(@Nullable Long ask, long term) {
    if (ask != null) {
      out.add(new Effect.Answer(ask, new Answer.Granted(term, config.cluster())));
    }
  }

  void unknown(@Nullable Long ask, String why) {
    if (ask != null) {
      out.add(new Effect.Answer(ask, new Answer.Unknown(why)));
    }
  }

  /** Answers by what is known of the leader. */
  void show(@Nullable Long ask, Moment now) {
    if (ask != null) {
      String cluster = config.cluster();
      LeaseRecord record = sight == null ? LeaseRecord.none(cluster) : sight.record(cluster, now);
      out.add(new Effect.Answer(ask, new Answer.HeldByOther(record)));
    }
  }

  /** The same, unless this member is cut off and knows nothing. */
  void showIfLinked(long ask, Moment now) {
    if (seesALeader(now) || peers.reachMajority()) {
      show(ask, now);
    } else {
      unknown(ask, peers.whyNoMajority(null));
    }
  }

  // Whom it misses.

  /** A round is over; whether a majority has answered decides what people are told. */
  void roundIsOver(Poll poll) {
    unheard = poll.isHeard() ? null : poll;
  }

  /** It does not want to lead any more: how its last round went is no news. */
  void forgetRounds() {
    unheard = null;
  }

  /** Who is missing for a majority; null if enough are heard, or the leader they have. */
  @Nullable String outage(Moment now) {
    if (stance instanceof Stance.Leader leader) {
      boolean overdue = now.hasReached(leader.sentAtNanos() + config.timeoutMin().toNanos());
      return overdue && !leader.poll().isHeard() ? peers.whyNoMajority(leader.poll()) : null;
    }
    if (seesALeader(now)) {
      return null;
    }
    return unheard != null || !peers.reachMajority() ? peers.whyNoMajority(unheard) : null;
  }
}
