package io.portcullis.backend.quorum.sim;

import static io.portcullis.election.simulation.PlantedBug.bug;
import static io.portcullis.election.simulation.PlantedBug.change;

import io.portcullis.election.simulation.PlantedBug;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The planted bugs that this simulation must detect. Bugs whose effects are too rare for its seeds
 * are left to the unit tests of the state machine, which test each rule.
 */
final class QuorumPlantedBugs {
  /** The seed that last detected each bug. */
  static final Map<String, Long> DETECTED_BY =
      Map.ofEntries(
          Map.entry("vote not saved", 631L),
          Map.entry("vote forgotten at restart", 127L),
          Map.entry("second vote by tie-break", 7L),
          Map.entry("vote while a promise lasts", 4L),
          Map.entry("promise to a leader of an earlier term", 255L),
          Map.entry("promise by the voter's own lease", 2L),
          Map.entry("release that ends any promise", 5948L),
          Map.entry("restarted voter that votes at once", 76L),
          Map.entry("restarted voter that campaigns at once", 11L),
          Map.entry("longest promise not saved", 53L),
          Map.entry("recovering member that votes at once", 16L),
          Map.entry("first lease counted from the response's arrival", 10L),
          Map.entry("request granted by promises from before it", 10L),
          Map.entry("recovering member that promises", 114L),
          Map.entry("no margin for drifting clocks", 306L),
          Map.entry("majority of the connected members", 3L));

  private static final List<PlantedBug> IN_VOTERS =
      List.of(
          bug(
              "vote not saved",
              change(
                  "Voter",
                  "keep(new HardState(request.term(), candidate, mine.longestPromise()), out);",
                  "ballot = new HardState(request.term(), candidate, mine.longestPromise());")),
          bug(
              "vote forgotten at restart",
              change(
                  "Voter",
                  "this.ballot = stored;",
                  "this.ballot = stored == null ? null : new HardState(stored.term(), null,"
                      + " stored.longestPromise());")),
          bug(
              "second vote by tie-break",
              change(
                  "Voter",
                  "return candidate.equals(mine.votedFor());",
                  "if (candidate.compareTo(mine.votedFor()) <= 0) {"
                      + " return candidate.equals(mine.votedFor()); }")),
          bug(
              "vote while a promise lasts",
              change(
                  "Voter",
                  "storageProblem == null && !bound && promise == null",
                  "storageProblem == null && !bound")),
          bug(
              "promise to a leader of an earlier term",
              change("Voter", "|| heartbeat.term() < mine.term()", "")),
          bug(
              "promise by the voter's own lease",
              change(
                  "QuorumMachine",
                  "Duration lease = Duration.ofMillis(heartbeat.leaseMillis());",
                  "Duration lease = config.lease();")),
          bug(
              "release that ends any promise",
              change("Voter", "promise != null && promise.isTo(leader, term)", "promise != null")),
          bug(
              "restarted voter that votes at once",
              change("Voter", "!isFree() ||", "storageProblem != null || promise != null ||"),
              change(
                  "Voter",
                  "return isFree() && term > term();",
                  "return ballot != null && storageProblem == null && promise == null && term >"
                      + " term();")),
          bug(
              "restarted voter that campaigns at once",
              change("QuorumMachine", "(voter.isFree())", "(voter.promise() == null)"),
              change(
                  "VoteCampaign",
                  "&& state.voter().isFree()",
                  "&& state.voter().hasBallot() && state.voter().storageProblem() == null"
                      + " && state.voter().promise() == null"),
              change(
                  "VoteCampaign",
                  "if (!state.voter().vote(state.config().selfId(), request, state.effects())) {",
                  "boolean bound = state.voter().boundUntilNanos() != null"
                      + " && asked.term() > state.voter().term(); if (bound) {"
                      + " state.voter().begin(new HardState(asked.term(), state.config().selfId(),"
                      + " state.voter().longestPromise()), state.effects()); }"
                      + " if (!bound && !state.voter().vote(state.config().selfId(), request,"
                      + " state.effects())) {")),
          bug(
              "longest promise not saved",
              change(
                  "Voter",
                  "boolean longer = lease.compareTo(mine.longestPromise()) > 0;",
                  "boolean longer = false;")));

  private static final List<PlantedBug> IN_RECOVERING_MEMBERS =
      List.of(
          bug(
              "recovering member that votes at once",
              change(
                  "QuorumMachine",
                  "new Voter(stored, unfit, now)",
                  "new Voter(stored == null ? HardState.BLANK : stored, unfit, now)"),
              change(
                  "QuorumMachine",
                  "stored == null && unfit == null ? new RecoveringMember(config, now) : null",
                  "null")),
          bug(
              "recovering member that promises",
              change(
                  "QuorumMachine",
                  "voter.promise(from, heartbeat, lease, now, state.effects());",
                  "(recovering != null"
                      + " || voter.promise(from, heartbeat, lease, now, state.effects()));")));

  private static final List<PlantedBug> IN_LEADERS =
      List.of(
          bug(
              "first lease counted from the response's arrival",
              change(
                  "Standby",
                  "Grant grant = Grant.of(won.epoch(), asked, timing());",
                  "Grant grant = new Grant(won.epoch(), now.nanos() + timing().validNanos());")),
          bug(
              "request granted by promises from before it",
              change(
                  "LeaderDuties",
                  "sendHeartbeat(term, leader.confirmedNanos(), ask, now);",
                  "if (leader.poll().isWon()) { state.grant(ask, term);"
                      + " sendHeartbeat(term, leader.confirmedNanos(), null, now); }"
                      + " else { sendHeartbeat(term, leader.confirmedNanos(), ask, now); }")),
          bug(
              "no margin for drifting clocks",
              change(
                  "Timing",
                  "Duration valid = lease.minus(margin(lease, drift));",
                  "Duration valid = lease;")),
          bug(
              "majority of the connected members",
              change(
                  "VoteTally",
                  "boolean isWon() {",
                  "int supporters() { return yes.size(); } boolean isWon() {"),
              change(
                  "VoteCampaign",
                  "asking.poll().isWon()",
                  "asking.poll().supporters() * 2 > state.peers().linked().size() + 1"),
              change(
                  "VoteCampaign",
                  "candidate.poll().isWon()",
                  "candidate.poll().supporters() * 2 > state.peers().linked().size() + 1"),
              change(
                  "LeaderDuties",
                  "leader.poll().isWon()",
                  "leader.poll().supporters() * 2 > state.peers().linked().size() + 1")));

  static final List<PlantedBug> ALL =
      Stream.of(IN_VOTERS, IN_RECOVERING_MEMBERS, IN_LEADERS).flatMap(List::stream).toList();

  private QuorumPlantedBugs() {}
}
