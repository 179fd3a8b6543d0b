package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.QuorumMachine.Succession;
import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.HeartbeatReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVoteReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Probe;
import io.portcullis.backend.quorum.machine.QuorumMessage.Report;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.VoteReply;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member whose clocks, disk and inputs the test holds in hand. What a step wants is done as in
 * production: a save that fails ends it. The wall clock stands at second 0 unless it is set.
 */
final class MachineDriver {
  private static final long MILLI = 1_000_000;
  private static final long NOBODY_COUNTS_THIS = 77;

  private final MachineDriverBuilder builder;
  private final QuorumMachine machine;
  private final List<QuorumMessage> everSent = new ArrayList<>();
  private List<QuorumEffect> effects = new ArrayList<>();
  private @Nullable HardState onDisk;
  private boolean diskFull;
  private boolean unsaved;
  private long millis;
  private long unixSecond;
  private long asked;

  MachineDriver(MachineDriverBuilder stage, @Nullable HardState stored, @Nullable String unfit) {
    this.builder = stage;
    this.onDisk = stored;
    this.machine = new QuorumMachine(stage.config(), stored, unfit, moment());
  }

  /** Another life of this member with what its disk holds. */
  MachineDriver restarted() {
    return new MachineDriver(builder, onDisk, null);
  }

  private MemberStepContext moment() {
    return new MemberStepContext(millis * MILLI, unixSecond, 0);
  }

  /** The monotonic clock moves on; nothing is told. */
  MachineDriver after(long moreMillis) {
    millis += moreMillis;
    return this;
  }

  MachineDriver atUnixSecond(long second) {
    unixSecond = second;
    return this;
  }

  MachineDriver diskFull(boolean full) {
    diskFull = full;
    return this;
  }

  // What it is told.

  MachineDriver tick() {
    return tell(new QuorumInput.Tick());
  }

  MachineDriver linked(int member) {
    return tell(new QuorumInput.Linked(member, "process-" + member, null));
  }

  MachineDriver unlinked(int member) {
    return tell(new QuorumInput.Unlinked(member));
  }

  MachineDriver acquire() {
    return acquireAbove(0);
  }

  MachineDriver acquireAbove(long epoch) {
    Duration lease = Duration.ofMillis(MachineDriverBuilder.LEASE);
    return ask(
        new LeaseRequest.Acquire(new Claim("b-1", null, lease, lease, epoch, null, null, true)));
  }

  MachineDriver renew(long term) {
    return ask(
        new LeaseRequest.Renew("b-1", term, Duration.ofMillis(MachineDriverBuilder.LEASE), null));
  }

  MachineDriver release(long term) {
    return ask(new LeaseRequest.Release("b-1", term, MachineDriverBuilder.CLUSTER));
  }

  /** Lets go, with a wish who should follow. */
  MachineDriver releaseTo(String member, long term) {
    return ask(new LeaseRequest.Release("b-1", term, MachineDriverBuilder.CLUSTER, member));
  }

  MachineDriver look() {
    return ask(new LeaseRequest.Look());
  }

  private MachineDriver ask(LeaseRequest request) {
    asked++;
    return tell(new QuorumInput.Asked(asked, request));
  }

  MachineDriver hears(int from, QuorumMessage message) {
    return tell(new QuorumInput.Received(from, message));
  }

  /** These members would elect it, in reply to its newest pre-vote. */
  MachineDriver preVotes(int... members) {
    PreVote question = newest(PreVote.class);
    for (int member : members) {
      hears(member, new PreVoteReply(question.sequence(), 0, true, -1, 0, 0));
    }
    return this;
  }

  /** These members vote for it, in reply to its newest request. */
  MachineDriver votes(int... members) {
    RequestVote question = newest(RequestVote.class);
    for (int member : members) {
      hears(member, new VoteReply(question.sequence(), question.term(), true));
    }
    return this;
  }

  /** These members promise, in reply to its newest heartbeat. */
  MachineDriver promises(int... members) {
    return promisesUpon(newest(Heartbeat.class), members);
  }

  MachineDriver promisesUpon(Heartbeat beat, int... members) {
    for (int member : members) {
      hears(member, new HeartbeatReply(beat.sequence(), beat.term(), true, false, 0));
    }
    return this;
  }

  /** A member that keeps a ballot tells its term, in reply to the newest probe. */
  MachineDriver report(int from, long term) {
    long sequence = newest(Probe.class).sequence();
    return hears(from, new Report(sequence, term, true, MachineDriverBuilder.LEASE));
  }

  /** A member without a ballot says so, in reply to the newest probe. */
  MachineDriver reportOfNewcomer(int from) {
    return hears(
        from, new Report(newest(Probe.class).sequence(), 0, false, MachineDriverBuilder.LEASE));
  }

  private MachineDriver tell(QuorumInput input) {
    effects = new ArrayList<>();
    perform(machine.step(input, moment()));
    return this;
  }

  private void perform(List<QuorumEffect> wanted) {
    for (QuorumEffect effect : wanted) {
      if (effect instanceof QuorumEffect.Save save) {
        if (diskFull) {
          unsaved = true;
          perform(machine.step(new QuorumInput.SaveFailed("disk full"), moment()));
          return;
        }
        onDisk = save.ballot();
      } else if (effect instanceof QuorumEffect.Send send) {
        everSent.add(send.message());
      }
      effects.add(effect);
    }
    if (unsaved && wanted.stream().anyMatch(QuorumEffect.Save.class::isInstance)) {
      unsaved = false;
      perform(machine.step(new QuorumInput.SavedAgain(), moment()));
    }
  }

  // What it says and does.

  /** Whether it now votes for this member. */
  boolean votesFor(int candidate, long term) {
    return hears(candidate, new RequestVote(NOBODY_COUNTS_THIS, term))
        .sent(VoteReply.class)
        .stream()
        .anyMatch(VoteReply::granted);
  }

  /** Whether it now says that it would. */
  boolean wouldVoteFor(int candidate, long term) {
    return hears(candidate, new PreVote(NOBODY_COUNTS_THIS, term, 0, 0))
        .sent(PreVoteReply.class)
        .stream()
        .anyMatch(PreVoteReply::granted);
  }

  /** Whether it now promises this leader to elect nobody for so long. */
  boolean promisesTo(int leader, long term, long leaseMillis) {
    return hears(leader, new Heartbeat(NOBODY_COUNTS_THIS, term, leaseMillis))
        .sent(HeartbeatReply.class)
        .stream()
        .anyMatch(HeartbeatReply::promised);
  }

  /** All that was done in the last step, in order. */
  List<QuorumEffect> effects() {
    return effects;
  }

  /** What was sent in the last step, one for each receiver. */
  <T extends QuorumMessage> List<T> sent(Class<T> kind) {
    return effects.stream()
        .filter(QuorumEffect.Send.class::isInstance)
        .map(effect -> ((QuorumEffect.Send) effect).message())
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  <T extends QuorumMessage> T newest(Class<T> kind) {
    List<QuorumMessage> all = everSent.stream().filter(kind::isInstance).toList();
    return kind.cast(all.get(all.size() - 1));
  }

  /** What its election was answered in the last step. */
  List<LeaseResponse> answers() {
    return effects.stream()
        .filter(QuorumEffect.Answer.class::isInstance)
        .map(effect -> ((QuorumEffect.Answer) effect).answer())
        .toList();
  }

  @Nullable String notVotingReason() {
    return machine.notVotingReason();
  }

  @Nullable String outage() {
    return machine.outage(moment());
  }

  Succession succession() {
    return machine.succession(moment());
  }

  @Nullable HardState onDisk() {
    return onDisk;
  }
}
