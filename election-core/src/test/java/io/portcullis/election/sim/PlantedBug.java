package io.portcullis.election.sim;

import java.util.List;

/**
 * A mistake that somebody could make: what the source says, and what it would say with the mistake.
 *
 * @param name the mistake in words
 * @param changes what to change, each in one file
 */
record PlantedBug(String name, List<Change> changes) {

  /**
   * One replacement.
   *
   * @param file the source file's name without folder or ending
   * @param right text that occurs exactly once in it
   * @param wrong what stands there instead
   */
  record Change(String file, String right, String wrong) {}

  static final List<PlantedBug> ALL =
      List.of(
          bug(
              "deadline counted from the reply's arrival",
              change(
                  "Leading",
                  "grant.orLater(Grant.of(grant.epoch(), asked, timing()))",
                  "new Grant(grant.epoch(), now.nanos() + timing().validNanos())")),
          bug(
              "observation timed from the request's sending",
              change(
                  "Standby",
                  "memory.seeing(seen, config, now)",
                  "memory.seeing(seen, config, new Moment(asked.sentAt(), 0, 0))")),
          bug(
              "renewal that recreates a lost entry",
              change("SimStore", "if (entryGone ||", "if (!entryGone &&")),
          bug(
              "epoch kept when the same node wins again",
              change(
                  "Claim",
                  "unixSecond) : floor) + 1;",
                  "unixSecond) : floor) + (current.holder().equals(node) ? 0 : 1);"),
              change("SimStore", "if (epoch <= highestGranted) {", "if (epoch < highestGranted) {"),
              change(
                  "Standby",
                  "if (won.epoch() <= memory.highestEpoch() || won.epoch() <= memory.spentEpoch()) {",
                  "if (won.epoch() < 0) {"),
              change(
                  "ElectionMachine",
                  "if (grant.epoch() <= after",
                  "if (grant.epoch() < 0 - after")),
          bug(
              "release that reopens",
              change(
                  "Memory", "Math.max(spentEpoch, epoch),", "spentEpoch, // forgets the release")),
          bug(
              "wait by the own lease instead of the holder's",
              change(
                  "Sighting",
                  "long left = seen.remaining().toNanos();",
                  "long left = Math.min(seen.remaining().toNanos(), timing.lease().toNanos());")),
          bug(
              "gate opened before the wait is over",
              change(
                  "Memory",
                  "return sighting != null && sighting.hasEndedBy(now) ?",
                  "return sighting != null ?")),
          bug(
              "a store's loss of memory not noticed",
              change("Memory", "if (isContradictedBy(seen) &&", "if (seen.epoch() < 0 &&")),
          bug(
              "a lapsed leader believes another life of the store",
              change("Lapsed", "|| !won.incarnation().equals(memory.incarnation())", "")),
          bug(
              "no margin for drifting clocks",
              change(
                  "Timing",
                  "Duration valid = lease.minus(margin(lease, drift));",
                  "Duration valid = lease;")),
          bug(
              "an unknown answer extends the deadline",
              change(
                  "Leading",
                  "return Step.to(new Leading(config, memory, grant, grantedAt, null, next, failed));",
                  "Grant longer = new Grant(grant.epoch(), now.plus(timing().validNanos())); return"
                      + " Step.to(new Leading(config, memory, longer, grantedAt, null, next,"
                      + " failed), new Effect.OpenGate(longer));")),
          bug(
              "release sent while calls are running",
              change(
                  "Draining",
                  "if (now.callsInFlight() == 0 ||",
                  "if (now.callsInFlight() >= 0 ||")),
          bug(
              "an empty store trusted although a leader was seen",
              change("Standby", "&& memory.highestEpoch() == 0", "|| memory.highestEpoch() != 0")));

  private static PlantedBug bug(String name, Change... changes) {
    return new PlantedBug(name, List.of(changes));
  }

  private static Change change(String file, String right, String wrong) {
    return new Change(file, right, wrong);
  }

  @Override
  public String toString() {
    return name;
  }
}
