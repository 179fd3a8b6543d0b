package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.QuorumMessage;
import io.portcullis.election.simulation.CoverageMarks;
import io.portcullis.election.simulation.InvariantViolationException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks every vote that is sent: no member votes for two candidates in one term, no two members
 * have a majority of votes in one term, and no two processes lead in one term. The votes of a
 * member whose disk was lost are exempt from the first two: it may vote again where its old vote is
 * harmless.
 */
final class VoteInvariants {
  private final CoverageMarks marks;
  private final int majority;
  private final Map<Long, Map<SimMember, SimMember>> votes = new HashMap<>();
  private final Map<Long, SimMember> elected = new HashMap<>();
  private final Map<Long, SimProcess> leaders = new HashMap<>();
  private final SimWorld world;
  private @Nullable SimMember namedSuccessor;
  private Consumer<SimProcess> onVote = voter -> {};
  private Consumer<SimProcess> onElected = leader -> {};

  VoteInvariants(SimWorld world, int majority) {
    this.world = world;
    this.marks = world.marks();
    this.majority = majority;
  }

  /** Sets the listeners to votes and to newly elected leaders. */
  void listen(Consumer<SimProcess> toVotes, Consumer<SimProcess> toElections) {
    onVote = toVotes;
    onElected = toElections;
  }

  void onSend(SimProcess from, int to, QuorumMessage message) {
    if (message instanceof QuorumMessage.VoteReply reply && reply.granted()) {
      vote(from, reply.term(), world.member(to));
    } else if (message instanceof QuorumMessage.RequestVote request) {
      vote(from, request.term(), from.member());
    } else if (message instanceof QuorumMessage.Heartbeat heartbeat) {
      lead(from, heartbeat.term());
    } else if (message instanceof QuorumMessage.Released released && released.next() >= 0) {
      namedSuccessor = world.member(released.next());
    }
  }

  private void vote(SimProcess process, long term, SimMember candidate) {
    SimMember voter = process.member();
    Map<SimMember, SimMember> votesInTerm = votes.computeIfAbsent(term, t -> new HashMap<>());
    SimMember before = votesInTerm.put(voter, candidate);
    if (before == candidate) {
      return;
    }
    onVote.accept(process);
    if (before != null) {
      throw new InvariantViolationException(
          voter + " voted for " + before + " and for " + candidate + " in term " + term);
    }
    if (votesInTerm.values().stream().filter(candidate::equals).count() >= majority) {
      SimMember other = elected.putIfAbsent(term, candidate);
      if (other != null && other != candidate) {
        throw new InvariantViolationException(
            "majorities for " + other + " and " + candidate + " in term " + term);
      }
    }
  }

  private void lead(SimProcess process, long term) {
    SimProcess other = leaders.putIfAbsent(term, process);
    if (other == null) {
      marks.hit("elected");
      onElected.accept(process);
      if (namedSuccessor == process.member()) {
        marks.hit("named successor leads");
      }
      namedSuccessor = null;
    } else if (other != process) {
      throw new InvariantViolationException(
          other + " and " + process + " both lead in term " + term);
    }
  }

  /** Forgets its votes, as the member does. */
  void onDiskLost(SimMember member) {
    votes.values().forEach(votesInTerm -> votesInTerm.remove(member));
    elected.clear(); // Majorities with its votes are no majorities of saved votes any more.
  }
}
