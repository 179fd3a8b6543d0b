package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.Message.Heartbeat;
import io.portcullis.backend.quorum.machine.Message.HeartbeatReply;
import io.portcullis.backend.quorum.machine.Message.PreVote;
import io.portcullis.backend.quorum.machine.Message.PreVoteReply;
import io.portcullis.backend.quorum.machine.Message.Probe;
import io.portcullis.backend.quorum.machine.Message.Released;
import io.portcullis.backend.quorum.machine.Message.ReleasedReply;
import io.portcullis.backend.quorum.machine.Message.Report;
import io.portcullis.backend.quorum.machine.Message.RequestVote;
import io.portcullis.backend.quorum.machine.Message.VoteReply;
import io.portcullis.backend.quorum.machine.Stance.Candidate;
import io.portcullis.backend.quorum.machine.Stance.Follower;
import io.portcullis.backend.quorum.machine.Stance.Heartbeats;
import io.portcullis.backend.quorum.machine.Stance.Leader;
import io.portcullis.backend.quorum.machine.Stance.PreCandidate;
import io.portcullis.backend.quorum.machine.Stance.Round;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One member of the quorum: a voter, and a candidate for as long as its election asks for the
 * lease. To the election above it is a store that grants, renews and releases; it opens no gate
 * itself.
 *
 * <p>Three rules carry the safety of it all. A question is answered by {@link Answer.Granted} only
 * when a majority of the configured members has given its {@link Promise} to a heartbeat that was
 * sent after the question came, so the right counts from a moment before the promises. A voter
 * breaks no word of its own, see {@link Voter}. And a member that may have forgotten its word takes
 * no part until that can do no harm, see {@link Newcomer}.
 */
public final class QuorumMachine {
  /** How long to wait before the disk is tried again. */
  private static final Duration SAVE_AGAIN = Duration.ofSeconds(2);

  /** Longer than any lease that can be configured. */
  private static final long LONGEST_LEASE_MILLIS = Duration.ofDays(1).toMillis();

  /**
   * A question of the election that waits for its answer.
   *
   * @param floor the highest epoch the election has seen
   */
  private record Wish(long id, long floor) {}

  /** A release that waits for a majority to hear of it. */
  private record Farewell(long ask, long sequence, Set<Integer> heard) {}

  private final QuorumConfig config;
  private final Voter voter;
  private final Peers peers;
  private final @Nullable String unfit;
  private final long startedNanos;
  private final List<Effect> out = new ArrayList<>();

  private @Nullable Newcomer newcomer;
  private Stance stance = new Follower();
  private @Nullable Sight sight;
  private @Nullable Wish wish;
  private @Nullable Farewell farewell;
  private boolean willing;
  private boolean mayYield = true;
  private boolean hinted;
  private long notBeforeNanos;
  private long saveAgainNanos;
  private long highestHeard;
  private long releasedTerm;
  private long sequence;
  private long versions;

  /**
   * A member that starts now.
   *
   * @param stored its ballot, null if it has none
   * @param unfit why its ballot can't be read, so that it can never vote in this life; null if it
   *     can
   */
  public QuorumMachine(
      QuorumConfig config, @Nullable Ballot stored, @Nullable String unfit, Moment now) {
    this.config = config;
    this.unfit = unfit;
    this.voter = new Voter(stored, unfit, now);
    this.peers = new Peers(config);
    this.newcomer = stored == null && unfit == null ? new Newcomer(config, now) : null;
    this.startedNanos = now.nanos();
    this.sequence = config.firstSequence();
    this.notBeforeNanos = now.nanos() + config.timeoutNanos(now.chance());
  }

  /** One step: what is to be done outside, in order. */
  public List<Effect> step(Input input, Moment now) {
    out.clear();
    passTime(now);
    deliver(input, now);
    proceed(now);
    return List.copyOf(out);
  }

  private void deliver(Input input, Moment now) {
    if (input instanceof Input.Asked asked) {
      onAsked(asked.id(), asked.request(), now);
    } else if (input instanceof Input.Received received) {
      onMessage(received.from(), received.message(), now);
    } else if (input instanceof Input.Linked linked) {
      peers.linked(linked.member(), new Peers.Spokesman(linked.identity(), linked.address()));
      if (newcomer != null && newcomer.misses(linked.member())) {
        send(linked.member(), new Probe(nextSequence()));
      }
    } else if (input instanceof Input.Unlinked unlinked) {
      peers.unlinked(unlinked.member());
    } else if (input instanceof Input.SaveFailed failed) {
      voter.troubled(failed.why());
      saveAgainNanos = now.plus(SAVE_AGAIN);
    } else if (input instanceof Input.SavedAgain) {
      voter.troubled(null);
      delayCampaign(now);
    }
  }

  // What time alone does.

  private void passTime(Moment now) {
    boolean wasBound = voter.boundUntilNanos() != null || voter.promise() != null;
    voter.passTime(now);
    if (wasBound && voter.boundUntilNanos() == null && voter.promise() == null) {
      delayCampaign(now);
    }
    if (stance instanceof PreCandidate pre && now.hasReached(pre.round().endsAtNanos())) {
      loseRound(pre.round(), now);
    } else if (stance instanceof Candidate candidate
        && now.hasReached(candidate.round().endsAtNanos())) {
      loseRound(candidate.round(), now);
    } else if (stance instanceof Leader leader
        && now.hasReached(leader.confirmedNanos() + config.lease().toNanos())) {
      leaveOffice(now);
    }
    Newcomer learning = newcomer;
    if (learning != null && learning.wantsToProbe(sequence + 1, now)) {
      learning.addProbes(peers.linked(), nextSequence(), out);
    }
    Ballot unsaved = voter.ballot();
    if (voter.trouble() != null
        && unfit == null
        && unsaved != null
        && now.hasReached(saveAgainNanos)) {
      saveAgainNanos = now.plus(SAVE_AGAIN);
      out.add(new Effect.Save(unsaved));
    }
  }

  /** Begins what may begin now. */
  private void proceed(Moment now) {
    boolean mayStand = stance instanceof Follower && isFreeToStand(now);
    if (!mayStand || !now.hasReached(notBeforeNanos)) {
      return;
    }
    if (wish != null) {
      askAround(wish, now);
    } else if (!hinted) {
      hint();
    }
  }

  private boolean isFreeToStand(Moment now) {
    return config.candidate() && voter.isFree() && !(sight != null && sight.isLiveAt(now));
  }

  /** When time alone next has something to do; empty if never. */
  public OptionalLong wakeAtNanos(Moment now) {
    List<Long> times = new ArrayList<>();
    if (stance instanceof PreCandidate pre) {
      times.add(pre.round().endsAtNanos());
    } else if (stance instanceof Candidate candidate) {
      times.add(candidate.round().endsAtNanos());
    } else if (stance instanceof Leader leader) {
      times.add(leader.confirmedNanos() + config.lease().toNanos());
    } else if (isFreeToStand(now) && (wish != null || !hinted)) {
      times.add(notBeforeNanos);
    }
    if (voter.boundUntilNanos() != null) {
      times.add(voter.boundUntilNanos());
    }
    if (voter.promise() != null) {
      times.add(voter.promise().untilNanos());
    }
    if (sight != null && sight.isLiveAt(now)) {
      times.add(sight.untilNanos());
    }
    if (newcomer != null) {
      times.add(newcomer.wakeAtNanos());
    }
    if (voter.trouble() != null && unfit == null && voter.hasBallot()) {
      times.add(saveAgainNanos);
    }
    return times.stream().mapToLong(time -> time - now.nanos()).min().stream()
        .map(left -> now.nanos() + left)
        .findFirst();
  }

  // What the election asks.

  private void onAsked(long id, Request request, Moment now) {
    giveUp(wish == null ? null : wish.id(), "asked again meanwhile");
    wish = null;
    if (request instanceof Request.Acquire acquire) {
      willing = true;
      onAcquire(new Wish(id, acquire.claim().highestEpoch()), now);
    } else if (request instanceof Request.Renew renew) {
      onRenew(id, renew.epoch(), now);
    } else if (request instanceof Request.Release release) {
      willing = false;
      onRelease(id, release.epoch(), now);
    } else {
      willing = false;
      answerLook(id, now);
    }
  }

  private void onAcquire(Wish asked, Moment now) {
    if (stance instanceof Leader || (sight != null && sight.isLiveAt(now))) {
      show(asked.id(), now);
    } else if (voter.trouble() != null) {
      answer(asked.id(), new Answer.Unknown(voter.trouble()));
    } else if (newcomer != null) {
      answer(asked.id(), new Answer.Unknown(newcomer.why()));
    } else if (!voter.isFree()) {
      answerLook(asked.id(), now);
    } else {
      wish = asked;
      hinted = false;
    }
  }

  private void onRenew(long id, long epoch, Moment now) {
    if (stance instanceof Leader leader && leader.term() == epoch) {
      giveUp(leader.heartbeat().takeAsk(), "asked again meanwhile");
      beat(leader.term(), leader.confirmedNanos(), id, now);
    } else {
      show(id, now);
    }
  }

  private void onRelease(long id, long epoch, Moment now) {
    if (!(stance instanceof Leader leader) || leader.term() != epoch) {
      show(id, now);
      return;
    }
    leaveOffice(now);
    voter.release(config.self(), epoch);
    farewell = new Farewell(id, nextSequence(), new HashSet<>(Set.of(config.self())));
    toOthers(new Released(sequence, epoch, peers.bestSuccessor()));
  }

  private void answerLook(long id, Moment now) {
    boolean knows = stance instanceof Leader || (sight != null && sight.isLiveAt(now));
    if (knows || peers.reachMajority()) {
      show(id, now);
    } else {
      answer(id, new Answer.Unknown(peers.whyNoMajority()));
    }
  }

  // Standing for election.

  private void askAround(Wish asked, Moment now) {
    long known = Math.max(Math.max(voter.term(), highestHeard), asked.floor());
    long term = (known == 0 ? now.unixSecond() : known) + 1;
    Round round = newRound(term, now);
    stance = new PreCandidate(round);
    long uptime = Duration.ofNanos(now.nanos() - startedNanos).toSeconds();
    toOthers(new PreVote(sequence, term, config.priority(), uptime));
  }

  private Round newRound(long term, Moment now) {
    long endsAt = now.nanos() + config.timeoutNanos(now.chance());
    return new Round(term, nextSequence(), endsAt, config.self());
  }

  private void stand(long term, Moment now) {
    Round round = newRound(term, now);
    RequestVote request = new RequestVote(sequence, term);
    if (!voter.vote(config.selfId(), request, out)) {
      loseRound(round, now);
      return;
    }
    stance = new Candidate(round);
    toOthers(request);
  }

  private void takeOffice(long term, Moment now) {
    Wish asked = wish;
    wish = null;
    mayYield = true;
    beat(term, now.nanos(), asked == null ? null : asked.id(), now);
  }

  /** Ends a round without a result. If too few even answered, nobody knows who leads. */
  private void loseRound(Round round, Moment now) {
    stance = new Follower();
    mayYield = true;
    delayCampaign(now);
    Wish asked = wish;
    wish = null;
    if (asked != null && round.answers() < config.majority()) {
      answer(asked.id(), new Answer.Unknown(peers.whyNoMajority()));
    } else if (asked != null) {
      show(asked.id(), now);
    }
  }

  // Leading.

  /** Sends a heartbeat to all; {@code ask} is answered once a majority has promised. */
  private void beat(long term, long confirmedNanos, @Nullable Long ask, Moment now) {
    Heartbeats next = new Heartbeats(nextSequence(), now.nanos(), ask);
    stance = new Leader(term, next, confirmedNanos);
    Heartbeat heartbeat = new Heartbeat(sequence, term, config.lease().toMillis());
    see(config.self(), term, config.lease(), now.plus(config.lease()));
    next.count(config.self(), voter.promise(config.self(), heartbeat, config.lease(), now, out));
    toOthers(heartbeat);
  }

  /** Leads no more. Whatever was asked of the lease is answered by that. */
  private void leaveOffice(Moment now) {
    if (stance instanceof Leader leader) {
      stance = new Follower();
      releasedTerm = Math.max(releasedTerm, leader.term());
      if (sight != null && sight.term() == leader.term()) {
        sight = sight.over();
      }
      delayCampaign(now);
      Long ask = leader.heartbeat().takeAsk();
      if (ask != null) {
        show(ask, now);
      }
    }
  }

  // What the others say.

  private void onMessage(int from, Message message, Moment now) {
    if (message instanceof Probe probe) {
      onProbe(from, probe);
    } else if (message instanceof Report report) {
      onReport(from, report, now);
    } else if (message instanceof PreVote preVote) {
      onPreVote(from, preVote, now);
    } else if (message instanceof PreVoteReply reply) {
      onPreVoteReply(from, reply, now);
    } else if (message instanceof RequestVote request) {
      onRequestVote(from, request, now);
    } else if (message instanceof VoteReply reply) {
      onVoteReply(from, reply, now);
    } else if (message instanceof Heartbeat heartbeat) {
      onHeartbeat(from, heartbeat, now);
    } else if (message instanceof HeartbeatReply reply) {
      onHeartbeatReply(from, reply, now);
    } else if (message instanceof Released released) {
      onReleased(from, released, now);
    } else if (message instanceof ReleasedReply reply) {
      onReleasedReply(from, reply, now);
    }
  }

  /** Who can't read its own ballot does not know what it remembers, and says nothing. */
  private void onProbe(int from, Probe probe) {
    if (unfit == null) {
      long longest = Math.max(voter.longestPromise().toMillis(), config.lease().toMillis());
      send(from, new Report(probe.sequence(), voter.term(), voter.hasBallot(), longest));
    }
  }

  private void onReport(int from, Report report, Moment now) {
    Newcomer learning = newcomer;
    boolean credible = report.term() == 0 || voter.findsCredible(report.term(), now);
    if (learning == null || !credible || report.leaseMillis() > LONGEST_LEASE_MILLIS) {
      return;
    }
    Ballot first = learning.onReport(from, report);
    if (first != null) {
      newcomer = null;
      voter.begin(first, out);
      delayCampaign(now);
      hint();
    }
  }

  private void onPreVote(int from, PreVote asked, Moment now) {
    boolean granted = voter.wouldVoteIn(asked.term()) && voter.findsCredible(asked.term(), now);
    Promise bound = voter.promise();
    long left = bound == null ? 0 : Math.max(0, (bound.untilNanos() - now.nanos()) / 1_000_000);
    send(
        from,
        new PreVoteReply(
            asked.sequence(),
            voter.term(),
            granted,
            bound == null ? -1 : bound.leader(),
            bound == null ? 0 : bound.term(),
            left));
    if (granted && mayYield && stance instanceof PreCandidate && isOutrankedBy(from, asked, now)) {
      mayYield = false; // Once a round: who speaks but can't hear must not hold up the others.
      stance = new Follower();
      delayCampaign(now);
    }
  }

  private boolean isOutrankedBy(int other, PreVote asked, Moment now) {
    if (asked.priority() != config.priority()) {
      return asked.priority() > config.priority();
    }
    if (other != config.self()) {
      return config.members().get(other).compareTo(config.selfId()) > 0;
    }
    return asked.uptimeSeconds() > Duration.ofNanos(now.nanos() - startedNanos).toSeconds();
  }

  private void onPreVoteReply(int from, PreVoteReply reply, Moment now) {
    if (!(stance instanceof PreCandidate pre) || !pre.round().isOf(reply.sequence())) {
      return;
    }
    hearOf(reply.term(), now);
    pre.round().count(from, reply.granted());
    boolean told = reply.leader() >= 0 && reply.leader() < config.size();
    if (told && voter.findsCredible(reply.leaderTerm(), now)) {
      hearSay(reply, now);
    }
    if (pre.round().isWonBy(config.majority())) {
      stand(pre.round().term(), now);
    } else if (pre.round().isLostIn(config.size(), config.majority())) {
      loseRound(pre.round(), now);
    }
  }

  /** Others are bound to a leader that this member does not hear. */
  private void hearSay(PreVoteReply reply, Moment now) {
    long left = Math.min(reply.remainingMillis(), LONGEST_LEASE_MILLIS);
    boolean news = sight == null || reply.leaderTerm() >= sight.term();
    if (news && reply.leaderTerm() > releasedTerm && reply.leader() != config.self()) {
      long until = now.plus(Duration.ofMillis(left));
      see(reply.leader(), reply.leaderTerm(), config.lease(), until);
    }
  }

  private void onRequestVote(int from, RequestVote request, Moment now) {
    if (!voter.findsCredible(request.term(), now)) {
      return;
    }
    boolean granted = voter.vote(config.members().get(from), request, out);
    if (granted) {
      followNobody(now);
    }
    long term = granted ? request.term() : voter.term();
    send(from, new VoteReply(request.sequence(), term, granted));
  }

  /** Its vote is given to another: no round of its own goes on, and it leads in no lower term. */
  private void followNobody(Moment now) {
    leaveOffice(now);
    stance = new Follower();
    delayCampaign(now);
  }

  private void onVoteReply(int from, VoteReply reply, Moment now) {
    if (!(stance instanceof Candidate candidate) || !candidate.round().isOf(reply.sequence())) {
      return;
    }
    Round round = candidate.round();
    hearOf(reply.term(), now);
    round.count(from, reply.granted() && reply.term() == round.term());
    if (round.isWonBy(config.majority())) {
      takeOffice(round.term(), now);
    } else if (round.isLostIn(config.size(), config.majority())) {
      loseRound(round, now);
    }
  }

  private void onHeartbeat(int from, Heartbeat heartbeat, Moment now) {
    long millis = heartbeat.leaseMillis();
    boolean sane = millis > 0 && millis <= LONGEST_LEASE_MILLIS;
    if (!sane || !voter.findsCredible(heartbeat.term(), now) || leadsIn(heartbeat.term())) {
      return;
    }
    Duration lease = Duration.ofMillis(millis);
    boolean over = heartbeat.term() <= releasedTerm;
    boolean promised = !over && voter.promise(from, heartbeat, lease, now, out);
    if (newcomer != null) {
      newcomer.hear(heartbeat.term(), lease);
    }
    if (stance instanceof Leader leader && heartbeat.term() > leader.term()) {
      leaveOffice(now);
    }
    if (promised) {
      stance = new Follower();
      mayYield = true;
    }
    boolean standing = stance instanceof Candidate || stance instanceof PreCandidate;
    if (!over && !standing && (sight == null || heartbeat.term() >= sight.term())) {
      see(from, heartbeat.term(), lease, now.plus(lease));
      answerWish(now);
      hint();
    }
    boolean wants = config.candidate() && willing && voter.trouble() == null;
    send(
        from,
        new HeartbeatReply(
            heartbeat.sequence(),
            promised ? heartbeat.term() : voter.term(),
            promised,
            wants,
            config.priority()));
  }

  private boolean leadsIn(long term) {
    return stance instanceof Leader leader && leader.term() == term;
  }

  private void onHeartbeatReply(int from, HeartbeatReply reply, Moment now) {
    if (!(stance instanceof Leader leader)) {
      return;
    }
    hearOf(reply.term(), now);
    peers.onReply(from, reply.willing(), reply.priority(), reply.sequence());
    Heartbeats heartbeat = leader.heartbeat();
    if (!heartbeat.isOf(reply.sequence())) {
      return;
    }
    heartbeat.count(from, reply.promised() && reply.term() == leader.term());
    if (heartbeat.isHeardBy(config.majority())) {
      stance = new Leader(leader.term(), heartbeat, heartbeat.sentAtNanos());
      Long ask = heartbeat.takeAsk();
      if (ask != null) {
        answer(ask, new Answer.Granted(leader.term(), config.cluster()));
      }
    } else if (heartbeat.isRefusedIn(config.size(), config.majority())) {
      leaveOffice(now);
    }
  }

  private void onReleased(int from, Released released, Moment now) {
    if (!voter.findsCredible(released.term(), now) || leadsIn(released.term())) {
      return;
    }
    voter.release(from, released.term());
    if (sight != null && sight.member() == from && sight.term() <= released.term()) {
      sight = sight.over();
    }
    releasedTerm = Math.max(releasedTerm, released.term());
    delayCampaign(now);
    if (released.next() == config.self()) {
      notBeforeNanos = now.nanos();
    }
    hint();
    send(from, new ReleasedReply(released.sequence(), released.term()));
  }

  private void onReleasedReply(int from, ReleasedReply reply, Moment now) {
    Farewell leaving = farewell;
    if (leaving == null || leaving.sequence() != reply.sequence()) {
      return;
    }
    leaving.heard().add(from);
    if (leaving.heard().size() >= config.majority()) {
      farewell = null;
      show(leaving.ask(), now);
    }
  }

  // Small parts.

  private void see(int member, long term, Duration lease, long untilNanos) {
    versions++;
    Peers.Spokesman process = peers.of(member);
    sight =
        new Sight(
            member,
            process.identity(),
            process.address(),
            term,
            versions,
            lease,
            untilNanos,
            false);
  }

  private void hearOf(long term, Moment now) {
    if (voter.findsCredible(term, now)) {
      highestHeard = Math.max(highestHeard, term);
    }
  }

  private void delayCampaign(Moment now) {
    notBeforeNanos = now.nanos() + config.timeoutNanos(now.chance());
    hinted = false;
  }

  private void answerWish(Moment now) {
    Wish asked = wish;
    wish = null;
    if (asked != null) {
      show(asked.id(), now);
    }
  }

  private void giveUp(@Nullable Long id, String why) {
    if (id != null) {
      answer(id, new Answer.Unknown(why));
    }
  }

  private void show(long id, Moment now) {
    LeaseRecord record =
        sight == null ? LeaseRecord.none(config.cluster()) : sight.record(config.cluster(), now);
    answer(id, new Answer.HeldByOther(record));
  }

  private void answer(long id, Answer answer) {
    out.add(new Effect.Answer(id, answer));
  }

  private void hint() {
    hinted = true;
    out.add(new Effect.Hint());
  }

  private void send(int member, Message message) {
    out.add(new Effect.Send(member, message));
  }

  private void toOthers(Message message) {
    for (int member = 0; member < config.size(); member++) {
      if (member != config.self()) {
        send(member, message);
      }
    }
  }

  private long nextSequence() {
    sequence++;
    return sequence;
  }
}
