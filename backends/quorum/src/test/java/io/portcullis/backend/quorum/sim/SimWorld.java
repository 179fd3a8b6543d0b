package io.portcullis.backend.quorum.sim;

import io.portcullis.election.simulation.CoverageMarks;
import io.portcullis.election.simulation.EventQueue;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** Virtual time, the members in it, and what watches them. */
final class SimWorld {
  private final WorldPlan plan;
  private final EventTrace transcript;
  private final CoverageMarks marks = new CoverageMarks();
  private final GateInvariants gates = new GateInvariants();
  private final EventQueue agenda = new EventQueue(gates::checkOneGate);
  private final VoteInvariants votes;
  private final List<SimMember> members;
  private final SplittableRandom random;
  private final SimNet net;
  private final SimLinks links;
  private boolean stormy = true;

  SimWorld(WorldPlan plan, boolean keepTranscript) {
    this.plan = plan;
    this.transcript = new EventTrace(keepTranscript);
    this.random = plan.random().split();
    this.members =
        IntStream.range(0, plan.size()).mapToObj(i -> new SimMember(i, plan.name(i))).toList();
    this.votes = new VoteInvariants(this, plan.majority());
    this.net = new SimNet(this, random.split(), plan.troublePercent(), plan.latestNanos());
    this.links = new SimLinks(this, random.split());
  }

  WorldPlan plan() {
    return plan;
  }

  long now() {
    return agenda.now();
  }

  void at(long time, Runnable what) {
    agenda.at(time, what);
  }

  /** Something that happens only if the storm is not over by then. */
  void inStorm(long time, Runnable what) {
    at(
        time,
        () -> {
          if (stormy) {
            what.run();
          }
        });
  }

  boolean runUntil(long end, BooleanSupplier enough) {
    return agenda.runUntil(end, enough);
  }

  EventTrace transcript() {
    return transcript;
  }

  void note(String what) {
    transcript.note(now(), what);
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

  /** All that are alive, paused ones included. */
  List<SimProcess> processes() {
    return members.stream().map(SimMember::process).filter(Objects::nonNull).toList();
  }

  /** Whether faults may strike. */
  boolean isStormy() {
    return stormy;
  }

  void calm() {
    stormy = false;
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
    member.take(process);
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
      process.die();
      process.member().leave();
      links.refresh();
    }
  }
}
