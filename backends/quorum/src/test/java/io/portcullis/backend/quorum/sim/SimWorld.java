package io.portcullis.backend.quorum.sim;

import io.portcullis.election.simulation.CoverageMarks;
import io.portcullis.election.simulation.EventQueue;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** Virtual time, the members, and the invariants that are checked. */
final class SimWorld {
  private final WorldPlan plan;
  private final EventTrace trace;
  private final CoverageMarks marks = new CoverageMarks();
  private final GateInvariants gates = new GateInvariants();
  private final EventQueue events = new EventQueue(gates::checkOneGate);
  private final VoteInvariants votes;
  private final List<SimMember> members;
  private final SplittableRandom random;
  private final SimNet net;
  private final SimLinks links;
  private boolean faultsActive = true;

  SimWorld(WorldPlan plan, boolean keepTrace) {
    this.plan = plan;
    this.trace = new EventTrace(keepTrace);
    this.random = plan.random().split();
    this.members =
        IntStream.range(0, plan.size()).mapToObj(i -> new SimMember(i, plan.name(i))).toList();
    this.votes = new VoteInvariants(this, plan.majority());
    this.net = new SimNet(this, random.split(), plan.faultPercent(), plan.maxDelayNanos());
    this.links = new SimLinks(this, random.split());
  }

  WorldPlan plan() {
    return plan;
  }

  long now() {
    return events.now();
  }

  void at(long time, Runnable what) {
    events.at(time, what);
  }

  /** Schedules an event that is skipped if faults have ended by then. */
  void ifFaultsActive(long time, Runnable what) {
    at(
        time,
        () -> {
          if (faultsActive) {
            what.run();
          }
        });
  }

  boolean runUntil(long end, BooleanSupplier condition) {
    return events.runUntil(end, condition);
  }

  EventTrace trace() {
    return trace;
  }

  void note(String what) {
    trace.note(now(), what);
  }

  CoverageMarks marks() {
    return marks;
  }

  GateInvariants gates() {
    return gates;
  }

  VoteInvariants votes() {
    return votes;
  }

  SimNet net() {
    return net;
  }

  SimLinks links() {
    return links;
  }

  List<SimMember> members() {
    return members;
  }

  SimMember member(int index) {
    return members.get(index);
  }

  /** The live processes, including paused ones. */
  List<SimProcess> processes() {
    return members.stream().map(SimMember::process).filter(Objects::nonNull).toList();
  }

  /** Whether faults may be injected. */
  boolean faultsActive() {
    return faultsActive;
  }

  void endFaults() {
    faultsActive = false;
    net.heal();
    links.refresh();
  }

  /** Starts a process of a member that has none. */
  void start(SimMember member) {
    if (member.isUp()) {
      return;
    }
    SimProcess process = new SimProcess(this, member, plan, random.split());
    note(
        process
            + " starts with "
            + (member.disk().isReadable() ? member.disk().ballot() : "a ballot it can't read")
            + ", lease "
            + process.timing().lease().toMillis()
            + "ms");
    member.setProcess(process);
    while (!member.queuedForNextProcess().isEmpty()) {
      marks.hit("a message to an earlier process");
      member.queuedForNextProcess().remove().run();
    }
    links.refresh();
  }

  /** Ends a process, unless it has ended already. */
  void end(SimProcess process) {
    if (process.isAlive()) {
      note(process + " ends");
      process.kill();
      process.member().clearProcess();
      links.refresh();
    }
  }
}
