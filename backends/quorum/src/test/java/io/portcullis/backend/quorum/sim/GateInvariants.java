package io.portcullis.backend.quorum.sim;

import io.portcullis.election.simulation.InvariantViolationException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks all gates in virtual time: at most one is open, and epochs rise. */
final class GateInvariants {
  private final List<SimProcess> openers = new ArrayList<>();
  private long highestOpened;
  private @Nullable SimProcess highestOpener;
  private long highestAccepted;

  void opened(SimProcess process, long epoch) {
    boolean same = epoch == highestOpened && process == highestOpener;
    if (epoch <= highestOpened && !same) {
      throw new InvariantViolationException(
          process + " opened under epoch " + epoch + " after epoch " + highestOpened);
    }
    highestOpened = epoch;
    highestOpener = process;
    if (!openers.contains(process)) {
      openers.add(process);
    }
  }

  void accepted(SimProcess process, long epoch) {
    if (epoch < highestAccepted) {
      throw new InvariantViolationException(
          process + " wrote under epoch " + epoch + " after a write under " + highestAccepted);
    }
    highestAccepted = epoch;
  }

  /** The process whose gate is open, null if none is. */
  @Nullable SimProcess open() {
    openers.removeIf(process -> !process.isOpen());
    return openers.isEmpty() ? null : openers.get(0);
  }

  void checkOneGate() {
    if (openers.size() > 1 && open() != null && openers.size() > 1) {
      throw new InvariantViolationException("two open gates: " + openers);
    }
  }
}
