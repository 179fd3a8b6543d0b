package io.portcullis.election.machine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The election's state machine: a function of role, input and time. Besides dispatching it does two
 * things once for all roles: it announces every new leader, and it checks each step against the
 * invariants a second time. A step that violates one throws, which shuts the gate permanently.
 */
public final class ElectionMachine {
  private final ElectionConfig config;

  /** Creates a machine for one node in one election. */
  public ElectionMachine(ElectionConfig config) {
    this.config = config;
  }

  /** Returns the initial role of a node that joins the election now. */
  public Role begin(Set<WithdrawalReason> reasons, StepContext now) {
    WithdrawalReasons initial = new WithdrawalReasons(reasons);
    return initial.isEmpty()
        ? Standby.askingAt(config, Memory.FRESH, now.nanos())
        : Inactive.waitingFor(config, Memory.FRESH, initial, null, now);
  }

  public Step step(Role role, Input input, StepContext now) {
    Step aged = role.passTime(now);
    Step step = aged.then(deliver(aged.role(), input, now));
    step = announceNewLeader(role, step);
    check(role, step, now);
    return step;
  }

  /**
   * The request that a step from {@code role} matches this response with, null if the step drops
   * the response. A request that is overdue by now is abandoned first, even if no earlier step did
   * so.
   */
  public static @Nullable RequestInFlight awaited(
      Role role, Input.Answered answered, StepContext now) {
    return awaited(role.passTime(now).role(), answered);
  }

  private static @Nullable RequestInFlight awaited(Role aged, Input.Answered answered) {
    RequestInFlight asked = aged.pending();
    return asked != null && asked.sequence() == answered.sequence() ? asked : null;
  }

  private static Step deliver(Role role, Input input, StepContext now) {
    if (input instanceof Input.Answered answered) {
      RequestInFlight asked = awaited(role, answered);
      return asked != null
          ? role.onAnswer(asked, answered.answer(), now)
          : Step.to(role); // Abandoned earlier; its possible changes are found by reading.
    }
    if (input instanceof Input.Ordered ordered) {
      return role.onCommand(ordered.command(), now);
    }
    if (input instanceof Input.RecordPushed shown) {
      return role.onRecordPushed(shown.record(), now);
    }
    if (input instanceof Input.Hint) {
      return role.onHint(now);
    }
    return Step.to(role);
  }

  private static Step announceNewLeader(Role before, Step step) {
    Leader leader = step.role().memory().leader();
    return leader == null || leader.equals(before.memory().lastLeader())
        ? step
        : step.with(new Effect.Announce(new ElectionEvent.NewLeader(leader)));
  }

  private static void check(Role before, Step step, StepContext now) {
    Role after = step.role();
    List<Effect> effects = step.effects();
    boolean shuts = effects.stream().anyMatch(Effect.ShutGate.class::isInstance);
    if (before instanceof Leading && !(after instanceof Leading) && !shuts) {
      throw new AssertionError("left " + before + " for " + after + " with the gate open");
    }
    if (after.memory().highestEpoch() < before.memory().highestEpoch()
        || after.memory().spentEpoch() < before.memory().spentEpoch()) {
      throw new AssertionError("forgot epochs between " + before + " and " + after);
    }
    for (Effect effect : effects) {
      if (effect instanceof Effect.OpenGate open) {
        checkOpening(after, open.grant(), now);
      }
    }
  }

  private static void checkOpening(Role after, Grant grant, StepContext now) {
    if (!(after instanceof Leading)) {
      throw new AssertionError("opened the gate in " + after);
    }
    if (!grant.liveAt(now.nanos())) {
      throw new AssertionError("opened the gate under a lapsed " + grant);
    }
    if (grant.epoch() <= after.memory().spentEpoch()) {
      throw new AssertionError("opened the gate under a spent epoch: " + grant);
    }
    if (grant.epoch() < after.memory().highestEpoch()) {
      throw new AssertionError("opened the gate below an epoch already seen: " + grant);
    }
  }
}
