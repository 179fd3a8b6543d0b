package io.portcullis.election.sim;

import io.portcullis.election.machine.Grant;
import io.portcullis.election.simulation.CoverageMarks;
import io.portcullis.election.simulation.EventQueue;
import io.portcullis.election.simulation.InvariantViolationException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Virtual time, the nodes, and the invariants, which are checked after every event. */
final class SimWorld {
  private final EventQueue agenda = new EventQueue(this::checkOneGate);
  private final List<SimNode> nodes = new ArrayList<>();
  private final CoverageMarks marks = new CoverageMarks();
  private final EventTrace transcript;
  private final SimStore store;
  private final SimNetwork network;
  private long highestOpened;
  private @Nullable SimNode highestOpener;
  private long highestAccepted;

  SimWorld(SimulationScenario plan, boolean keepTranscript) {
    SplittableRandom random = plan.random().split();
    this.transcript = new EventTrace(keepTranscript);
    this.store = new SimStore(plan.storeCounts(), 1 + plan.drift() * random.nextDouble(-1, 1));
    this.network =
        new SimNetwork(this, store, random.split(), plan.troublePercent(), plan.latestNanos());
  }

  long now() {
    return agenda.now();
  }

  EventTrace transcript() {
    return transcript;
  }

  CoverageMarks marks() {
    return marks;
  }

  SimNetwork network() {
    return network;
  }

  SimStore store() {
    return store;
  }

  /** The live nodes, including paused ones. */
  List<SimNode> nodes() {
    return nodes;
  }

  void join(SimNode node) {
    nodes.add(node);
  }

  void leave(SimNode node) {
    node.crash();
    nodes.remove(node);
  }

  void at(long time, Runnable what) {
    agenda.at(time, what);
  }

  void note(String what) {
    transcript.note(now(), what);
  }

  /** Runs to {@code end}, or until {@code enough}; returns whether {@code enough} was reached. */
  boolean runUntil(long end, BooleanSupplier enough) {
    return agenda.runUntil(end, enough);
  }

  /** The node whose gate is open, null if none is. */
  @Nullable SimNode leader() {
    for (SimNode node : nodes) {
      if (node.isOpen()) {
        return node;
      }
    }
    return null;
  }

  private void checkOneGate() {
    SimNode open = null;
    for (SimNode node : nodes) {
      if (node.isOpen()) {
        if (open != null) {
          throw new InvariantViolationException(
              "two open gates: "
                  + open
                  + " under epoch "
                  + open.openEpoch()
                  + " and "
                  + node
                  + " under epoch "
                  + node.openEpoch());
        }
        open = node;
      }
    }
  }

  void opened(SimNode node, Grant grant) {
    boolean same = grant.epoch() == highestOpened && node == highestOpener;
    if (grant.epoch() <= highestOpened && !same) {
      throw new InvariantViolationException(
          node + " opened under epoch " + grant.epoch() + " after epoch " + highestOpened);
    }
    highestOpened = grant.epoch();
    highestOpener = node;
  }

  void accepted(SimNode node, long epoch) {
    if (epoch < highestAccepted) {
      throw new InvariantViolationException(
          node + " wrote under epoch " + epoch + " after a write under " + highestAccepted);
    }
    highestAccepted = epoch;
  }
}
