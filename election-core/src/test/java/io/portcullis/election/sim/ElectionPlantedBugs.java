package io.portcullis.election.sim;

import static io.portcullis.election.simulation.PlantedBug.bug;
import static io.portcullis.election.simulation.PlantedBug.change;

import io.portcullis.election.simulation.PlantedBug;
import java.util.List;

/** The planted bugs that this simulation must detect. */
final class ElectionPlantedBugs {
  static final List<PlantedBug> ALL =
      List.of(
          bug(
              "deadline counted from the response's arrival",
              change(
                  "Leading",
                  "grant.orLater(Grant.of(grant.epoch(), asked, timing()))",
                  "new Grant(grant.epoch(), now.nanos() + timing().validNanos())")),
          bug(
              "observation timed from the request's sending",
              change(
                  "Standby",
                  "memory.withObserved(seen, config, now)",
                  "memory.withObserved(seen, config, new StepContext(asked.sentAt(), 0, 0))")),
          bug(
              "renewal that recreates a lost entry",
              change("SimStore", "if (entryGone ||", "if (!entryGone &&")),
          bug(
              "epoch kept when the same node wins again",
              change(
                  "Claim",
                  "return EpochRange.after(wentBack ? Math.max(floor, unixSecond) : floor);",
                  "long top = wentBack ? Math.max(floor, unixSecond) : floor;"
                      + " return current.holder().equals(node) ? top : EpochRange.after(top);"),
              change("SimStore", "if (epoch <= highestGranted) {", "if (epoch < highestGranted) {"),
              change(
                  "Standby",
                  "if (won.epoch() <= memory.highestEpoch() || won.epoch() <= memory.spentEpoch())"
                      + " {",
                  "if (won.epoch() < 0) {"),
              change(
                  "ElectionMachine",
                  "if (grant.epoch() <= after",
                  "if (grant.epoch() < 0 - after")),
          bug(
              "release that reopens",
              change("Memory", "Math.max(spent, epoch)", "spent /* forgets the release */")),
          bug(
              "wait by this node's lease instead of the holder's",
              change(
                  "ObservedRecord",
                  "long left = seen.remaining().toNanos();",
                  "long left = Math.min(seen.remaining().toNanos(), timing.lease().toNanos());")),
          bug(
              "changed record not waited out after a step of the store's clock",
              change(
                  "StoreClockCheck",
                  "return shown + Math.min(missing, stepNanos(before, now, sentNanos));",
                  "return shown;")),
          bug(
              "step of the store's clock forgotten with the next response",
              change(
                  "StoreClockCheck",
                  "if (!seen.recordVersion().equals(counted)) {",
                  "if (seen.epoch() >= 0) {")),
          bug(
              "gate opened before the wait is over",
              change(
                  "Memory",
                  "return observed != null && observed.hasEndedBy(now) ?",
                  "return observed != null ?")),
          bug(
              "a store's loss of memory not detected",
              change("Memory", "if (isContradictedBy(seen) &&", "if (seen.epoch() < 0 &&")),
          bug(
              "a lapsed leader trusts another incarnation of the store",
              change("Lapsed", "|| !won.incarnation().equals(memory.incarnation())", "")),
          bug(
              "no margin for drifting clocks",
              change(
                  "Timing",
                  "Duration valid = lease.minus(margin(lease, drift));",
                  "Duration valid = lease;")),
          bug(
              "an unknown response extends the deadline",
              change(
                  "Leading",
                  "return lookingAgain(unrenewed(next, failed));",
                  "Grant longer = new Grant(grant.epoch(), now.plus(timing().validNanos())); return"
                      + " Step.to(new Leading(config, memory, longer, grantedAt, null, next,"
                      + " failed, false), new Effect.OpenGate(longer));")),
          bug(
              "release sent while calls are running",
              change(
                  "Draining",
                  "if (now.callsInFlight() == 0 ||",
                  "if (now.callsInFlight() >= 0 ||")),
          bug(
              "an empty store trusted although a leader was seen",
              change("Standby", "&& memory.highestEpoch() == 0", "|| memory.highestEpoch() != 0")));

  private ElectionPlantedBugs() {}
}
