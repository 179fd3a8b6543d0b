package io.portcullis.agent.fencing;

import io.portcullis.election.fence.FenceState;
import io.portcullis.gate.ElectionGate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a leader that passes a fence by: it leads under an epoch that it never installed, so its
 * process has no such fence, and nothing keeps its late writes out.
 */
final class UnfencedLeaderDetector {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String fence;
  private final String election;
  private final ElectionGate gate;

  /** The epoch that was not installed when last looked; a leader needs a while to do so. */
  private long suspectedEpoch;

  private long toldEpoch;

  UnfencedLeaderDetector(String fence, String election, ElectionGate gate) {
    this.fence = fence;
    this.election = election;
    this.gate = gate;
  }

  /** Compares who leads with what the fence stands at. One thread at a time. */
  synchronized void compare(FenceState mark, @Nullable String self) {
    String leader = gate.leader();
    long epoch = gate.epoch();
    if (leader == null || leader.equals(self) || mark.epoch() >= epoch) {
      suspectedEpoch = 0;
      return;
    }
    if (suspectedEpoch == epoch && toldEpoch != epoch) {
      toldEpoch = epoch;
      LOG.warn(
          "portcullis election={} fence={} is passed by: {} leads under epoch {} and the fence stands"
              + " at {}. It does not protect until every node has it: give that node this fence too",
          election,
          fence,
          leader,
          epoch,
          mark.epoch());
    }
    suspectedEpoch = epoch;
  }
}
