package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.MemberState.KnownLeader;
import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.HeartbeatReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVoteReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Probe;
import io.portcullis.backend.quorum.machine.QuorumMessage.Released;
import io.portcullis.backend.quorum.machine.QuorumMessage.ReleasedReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Report;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.VoteReply;
import io.portcullis.backend.quorum.machine.RaftRole.Campaigning;
import io.portcullis.backend.quorum.machine.RaftRole.RaftLeader;
import io.portcullis.backend.quorum.machine.Voter.Promise;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.StoreFeatures.PreferredNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * State machine of one quorum member: it votes, and it campaigns while its election asks for the
 * lease. The election uses it as a store that grants, renews and releases leases; it never opens a
 * gate itself.
 *
 * <p>Three rules prevent split brain. A request is answered with {@link LeaseResponse.Granted} only
 * when a majority of the configured members has given its {@link Promise} to a heartbeat sent after
 * the request arrived, so the lease counts from a time before the promises. A voter never
 * contradicts its own votes and promises, see {@link Voter}. A member that may have lost its votes
 * and promises takes no part until that is harmless, see {@link RecoveringMember}.
 */
public final class QuorumMachine {
  private static final long NEVER = Long.MAX_VALUE;

  /** Time between attempts to save a ballot after a failure. */
  private static final Duration SAVE_RETRY_INTERVAL = Duration.ofSeconds(2);

  private final QuorumConfig config;
  private final @Nullable String unfit;
  private final Voter voter;
  private final MemberState state;
  private final LeaderDuties leaderDuties;
  private final VoteCampaign campaign;

  private @Nullable RecoveringMember recovering;
  private boolean willing;
  private long saveAgainNanos;

  /**
   * Starts a member.
   *
   * @param stored its ballot, null if it has none
   * @param unfit why its ballot can't be read, which prevents it from voting in this incarnation;
   *     null if it can be read
   */
  public QuorumMachine(
      QuorumConfig config,
      @Nullable HardState stored,
      @Nullable String unfit,
      MemberStepContext now) {
    this.config = config;
    this.unfit = unfit;
    this.voter = new Voter(stored, unfit, now);
    this.state = new MemberState(config, voter, now);
    this.leaderDuties = new LeaderDuties(state);
    this.campaign = new VoteCampaign(state, leaderDuties, now);
    this.recovering = stored == null && unfit == null ? new RecoveringMember(config, now) : null;
  }

  /** Executes one step and returns its effects in order. */
  public List<QuorumEffect> step(QuorumInput input, MemberStepContext now) {
    passTime(now);
    deliver(input, now);
    campaign.proceed(now);
    return state.takeEffects();
  }

  /** The reason why this member can't vote, null if it can. */
  public @Nullable String notVotingReason() {
    if (voter.storageProblem() != null) {
      return voter.storageProblem();
    }
    if (recovering != null) {
      return recovering.why();
    }
    return voter.boundUntilNanos() == null
        ? null
        : "this member has just started; until a promise from before has surely ended, it neither"
            + " votes nor campaigns";
  }

  /**
   * Describes which members are missing for a majority; null if enough have replied or a live
   * leader is known.
   */
  public @Nullable String outage(MemberStepContext now) {
    return state.outage(now);
  }

  /** The highest known epoch for which this quorum could still elect a leader with a higher one. */
  public long highestEpochToFollow(MemberStepContext now) {
    return voter.highestToFollow(now);
  }

  /** The same for a member that has only the current time to go by. */
  public static long highestEpochToFollow(long unixSecond) {
    MemberStepContext now = new MemberStepContext(0, unixSecond, 0);
    return new Voter(null, null, now).highestToFollow(now);
  }

  /** The possible successors of this member while it leads. */
  public Succession succession(MemberStepContext now) {
    return leaderDuties.succession(now);
  }

  private void deliver(QuorumInput input, MemberStepContext now) {
    if (input instanceof QuorumInput.Asked asked) {
      onAsked(asked.id(), asked.request(), now);
    } else if (input instanceof QuorumInput.Received received) {
      onMessage(received.from(), received.message(), now);
    } else if (input instanceof QuorumInput.Linked linked) {
      onLinked(linked);
    } else if (input instanceof QuorumInput.Unlinked unlinked) {
      onUnlinked(unlinked.member());
    } else if (input instanceof QuorumInput.SaveFailed failed) {
      voter.setStorageProblem(failed.why());
      saveAgainNanos = now.plus(SAVE_RETRY_INTERVAL);
    } else if (input instanceof QuorumInput.SavedAgain) {
      voter.setStorageProblem(null);
      campaign.pause(now);
    }
  }

  // Timeouts.

  private void passTime(MemberStepContext now) {
    if (voter.passTime(now)) {
      campaign.pause(now);
    }
    campaign.passTime(now);
    leaderDuties.passTime(now);
    RecoveringMember recoveringMember = recovering;
    if (recoveringMember != null && recoveringMember.wantsToProbe(now)) {
      recoveringMember.probe(state, now);
    }
    HardState unsaved = unsaved();
    if (unsaved != null && now.hasReached(saveAgainNanos)) {
      saveAgainNanos = now.plus(SAVE_RETRY_INTERVAL);
      state.effects().add(new QuorumEffect.Save(unsaved));
    }
  }

  private @Nullable HardState unsaved() {
    return voter.storageProblem() != null && unfit == null ? voter.ballot() : null;
  }

  /** When the next timeout is due; empty if none is. */
  public OptionalLong wakeAtNanos(MemberStepContext now) {
    KnownLeader knownLeader = state.knownLeader();
    return LongStream.of(
            untilNext(campaign.wakeAtNanos(now), now),
            untilNext(leaderDuties.wakeAtNanos(), now),
            untilNext(voter.wakeAtNanos(), now),
            knownLeader != null && knownLeader.isLiveAt(now)
                ? knownLeader.untilNanos() - now.nanos()
                : NEVER,
            recovering == null ? NEVER : recovering.wakeAtNanos() - now.nanos(),
            unsaved() == null ? NEVER : saveAgainNanos - now.nanos())
        .filter(left -> left != NEVER)
        .map(left -> now.nanos() + left)
        .boxed()
        .min((one, other) -> Long.signum(one - other))
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  private static long untilNext(OptionalLong instant, MemberStepContext now) {
    return instant.isPresent() ? instant.getAsLong() - now.nanos() : NEVER;
  }

  // Requests from the election.

  private void onAsked(long ask, LeaseRequest request, MemberStepContext now) {
    campaign.forget();
    willing = request instanceof LeaseRequest.Acquire;
    if (request instanceof LeaseRequest.Acquire acquire) {
      onAcquire(ask, acquire.claim().highestEpoch(), now);
      return;
    }
    state.forgetRounds();
    if (request instanceof LeaseRequest.Renew renew) {
      leaderDuties.renew(ask, renew.epoch(), now);
    } else if (request instanceof LeaseRequest.Release release) {
      leaderDuties.release(ask, release.epoch(), release.successor(), now);
      campaign.pause(now);
    } else {
      state.showIfLinked(ask, now);
    }
  }

  private void onAcquire(long ask, long floor, MemberStepContext now) {
    if (state.knowsLiveLeader(now)) {
      state.show(ask, now);
    } else if (voter.storageProblem() != null) {
      state.unknown(ask, voter.storageProblem());
    } else if (recovering != null) {
      state.unknown(ask, recovering.why());
    } else if (voter.isFree()) {
      campaign.want(ask, floor);
    } else {
      state.showIfLinked(ask, now);
    }
  }

  // Messages from other members.

  private void onLinked(QuorumInput.Linked linked) {
    state
        .peers()
        .linked(linked.member(), new Peers.MemberProcess(linked.identity(), linked.address()));
    if (recovering != null) {
      recovering.linked(linked.member(), state);
    }
  }

  private void onUnlinked(int member) {
    state.peers().unlinked(member);
    leaderDuties.unlinked(member);
    if (recovering != null) {
      recovering.unlinked(member);
    }
  }

  private void onMessage(int from, QuorumMessage message, MemberStepContext now) {
    if (message instanceof Probe probe) {
      onProbe(from, probe);
    } else if (message instanceof Report report) {
      onReport(from, report, now);
    } else if (message instanceof PreVote preVote) {
      onPreVote(from, preVote, now);
    } else if (message instanceof PreVoteReply reply) {
      campaign.onPreVoteReply(from, reply, now);
    } else if (message instanceof RequestVote request) {
      onRequestVote(from, request, now);
    } else if (message instanceof VoteReply reply) {
      campaign.onVoteReply(from, reply, now);
    } else if (message instanceof Heartbeat heartbeat) {
      onHeartbeat(from, heartbeat, now);
    } else if (message instanceof HeartbeatReply reply) {
      leaderDuties.onHeartbeatReply(from, reply, now);
    } else if (message instanceof Released released) {
      onReleased(from, released, now);
    } else if (message instanceof ReleasedReply reply) {
      leaderDuties.onReleasedReply(from, reply, now);
    }
  }

  /**
   * Sends no report if this member can't read its own ballot, because the report would be
   * incomplete.
   */
  private void onProbe(int from, Probe probe) {
    if (unfit == null) {
      long promised = QuorumConfig.wholeMillis(voter.longestPromise());
      long longest = Math.max(promised, QuorumConfig.wholeMillis(config.lease()));
      state.send(from, new Report(probe.sequence(), voter.term(), voter.hasBallot(), longest));
    }
  }

  private void onReport(int from, Report report, MemberStepContext now) {
    RecoveringMember recoveringMember = recovering;
    boolean credible =
        (report.term() == 0 || voter.findsCredible(report.term(), now))
            && isSane(report.leaseMillis());
    if (recoveringMember == null || !credible || !state.hasAsked(report.sequence())) {
      return;
    }
    HardState first = recoveringMember.onReport(from, report, now);
    if (first != null) {
      recovering = null;
      voter.begin(first, state.effects());
      campaign.pause(now);
      state.hint();
    }
  }

  private static boolean isSane(long leaseMillis) {
    return leaseMillis > 0 && leaseMillis <= QuorumConfig.MAX_LEASE.toMillis();
  }

  private void onPreVote(int from, PreVote asked, MemberStepContext now) {
    boolean granted = voter.wouldVoteIn(asked.term()) && voter.findsCredible(asked.term(), now);
    state.send(from, reply(asked, granted, now));
    if (granted) {
      campaign.yieldTo(from, asked, now);
    }
  }

  private PreVoteReply reply(PreVote asked, boolean granted, MemberStepContext now) {
    Promise bound = voter.promise();
    if (bound == null) {
      return new PreVoteReply(asked.sequence(), voter.term(), granted, -1, 0, 0);
    }
    long left = Duration.ofNanos(bound.untilNanos() - now.nanos()).toMillis();
    return new PreVoteReply(
        asked.sequence(), voter.term(), granted, bound.leader(), bound.term(), left);
  }

  private void onRequestVote(int from, RequestVote request, MemberStepContext now) {
    if (!voter.findsCredible(request.term(), now)) {
      return;
    }
    boolean granted = voter.vote(config.members().get(from), request, state.effects());
    if (granted) {
      leaderDuties.leave(now); // Its own term is lower, and its own promise has expired.
      campaign.standBack(now);
    }
    long term = granted ? request.term() : voter.term();
    state.send(from, new VoteReply(request.sequence(), term, granted));
  }

  private void onHeartbeat(int from, Heartbeat heartbeat, MemberStepContext now) {
    long term = heartbeat.term();
    if (!isSane(heartbeat.leaseMillis())
        || !voter.findsCredible(term, now)
        || leaderDuties.isHeldIn(term)) {
      return;
    }
    Duration lease = Duration.ofMillis(heartbeat.leaseMillis());
    boolean promised =
        !state.isOver(term) && voter.promise(from, heartbeat, lease, now, state.effects());
    if (recovering != null) {
      recovering.observe(term, lease);
    }
    if (promised) {
      leaderDuties.leave(now);
      campaign.standBack(now);
    }
    follow(from, term, lease, now);
    boolean wants = config.process().candidate() && willing && voter.storageProblem() == null;
    long reached = promised ? term : voter.term();
    state.send(
        from,
        new HeartbeatReply(heartbeat.sequence(), reached, promised, wants, config.priority()));
  }

  /** Records a leader, also one to which this member can't promise anything. */
  private void follow(int from, long term, Duration lease, MemberStepContext now) {
    if (state.role() instanceof RaftLeader leader && term > leader.term()) {
      leaderDuties.leave(now);
    }
    if (!state.isOver(term)
        && !(state.role() instanceof Campaigning)
        && !(state.role() instanceof RaftLeader)) {
      state.see(from, term, lease, now.plus(lease));
      campaign.onLeaderSeen(now);
      state.hint();
    }
  }

  private void onReleased(int from, Released released, MemberStepContext now) {
    if (!voter.findsCredible(released.term(), now) || leaderDuties.isHeldIn(released.term())) {
      return;
    }
    voter.release(from, released.term());
    state.end(released.term());
    campaign.pause(now);
    if (released.next() == config.self()) {
      campaign.hurry(now);
    }
    state.hint();
    state.send(from, new ReleasedReply(released.sequence(), released.term()));
  }

  /**
   * Possible successors of this leader at the time of one step. Used for handovers; no vote depends
   * on it.
   *
   * @param objections for each other member, by id, the reason why it can't follow; empty if it can
   * @param preferred the member that wants to lead and has a higher priority, null if there is none
   */
  public record Succession(Map<String, String> objections, @Nullable PreferredNode preferred) {
    /** This member does not lead, so it can't hand over. */
    public static final Succession NONE = new Succession(Map.of(), null);

    public Succession {
      objections = Map.copyOf(objections);
    }
  }
}
