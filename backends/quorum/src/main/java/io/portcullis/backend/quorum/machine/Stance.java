package io.portcullis.backend.quorum.machine;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where a member stands between wanting to lead and leading. */
sealed interface Stance {

  /** Neither stands for election nor leads. */
  record Follower() implements Stance {}

  /**
   * Asks whether it would be elected. Nobody's state changes by that, so a member that comes back
   * from behind a partition disturbs no leader.
   */
  record PreCandidate(Round round) implements Stance {}

  /** Stands for election; its own vote is spent on itself. */
  record Candidate(Round round) implements Stance {}

  /**
   * Elected in a term; leads only while a majority keeps its promises.
   *
   * @param heartbeat the heartbeat whose promises are awaited
   * @param confirmedNanos when the newest heartbeat with a majority of promises was sent; when it
   *     was elected, before the first
   */
  record Leader(long term, Heartbeats heartbeat, long confirmedNanos) implements Stance {}

  /** One try to be elected, over at a fixed time: a reply after that counts for nothing. */
  final class Round {
    private final long term;
    private final long sequence;
    private final long endsAtNanos;
    private final Set<Integer> yes = new HashSet<>();
    private final Set<Integer> no = new HashSet<>();

    Round(long term, long sequence, long endsAtNanos, int self) {
      this.term = term;
      this.sequence = sequence;
      this.endsAtNanos = endsAtNanos;
      yes.add(self);
    }

    long term() {
      return term;
    }

    long endsAtNanos() {
      return endsAtNanos;
    }

    boolean isOf(long replySequence) {
      return sequence == replySequence;
    }

    void count(int member, boolean granted) {
      (granted ? yes : no).add(member);
    }

    boolean isWonBy(int majority) {
      return yes.size() >= majority;
    }

    /** True if those who have not answered yet can't make a majority any more. */
    boolean isLostIn(int members, int majority) {
      return members - no.size() < majority;
    }

    /** How many have answered, itself included. */
    int answers() {
      return yes.size() + no.size();
    }
  }

  /** One heartbeat to all, and who has promised. */
  final class Heartbeats {
    private final long sequence;
    private final long sentAtNanos;
    private final Set<Integer> promised = new HashSet<>();
    private final Set<Integer> refused = new HashSet<>();
    private @Nullable Long ask;

    Heartbeats(long sequence, long sentAtNanos, @Nullable Long ask) {
      this.sequence = sequence;
      this.sentAtNanos = sentAtNanos;
      this.ask = ask;
    }

    boolean isOf(long replySequence) {
      return sequence == replySequence;
    }

    long sentAtNanos() {
      return sentAtNanos;
    }

    void count(int member, boolean yes) {
      (yes ? promised : refused).add(member);
    }

    boolean isHeardBy(int majority) {
      return promised.size() >= majority;
    }

    boolean isRefusedIn(int members, int majority) {
      return members - refused.size() < majority;
    }

    /** The question that rests on these promises; it is answered once. */
    @Nullable Long takeAsk() {
      Long taken = ask;
      ask = null;
      return taken;
    }
  }
}
