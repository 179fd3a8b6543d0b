package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.Message.Heartbeat;
import io.portcullis.backend.quorum.machine.Message.HeartbeatReply;
import io.portcullis.backend.quorum.machine.Message.PreVote;
import io.portcullis.backend.quorum.machine.Message.PreVoteReply;
import io.portcullis.backend.quorum.machine.Message.Probe;
import io.portcullis.backend.quorum.machine.Message.Report;
import io.portcullis.backend.quorum.machine.Message.RequestVote;
import io.portcullis.backend.quorum.machine.Message.VoteReply;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member whose clocks, disk and inputs the test holds in hand. What a step wants is done as in
 * production: a save that fails ends it. The wall clock stands at second 0 unless it is set.
 */
final class Puppet {
  private static final long MILLI = 1_000_000;
  private static final long NOBODY_COUNTS_THIS = 77;

  private final Stage stage;
  private final QuorumMachine machine;
  private final List<Message> everSent = new ArrayList<>();
  private List<Effect> effects = new ArrayList<>();
  private @Nullable Ballot onDisk;
  private boolean diskFull;
  private boolean unsaved;
  private long millis;
  private long unixSecond;
  private long asked;

  Puppet(Stage stage, @Nullable Ballot stored, @Nullable String unfit) {
    this.stage = stage;
    this.onDisk = stored;
    this.machine = new QuorumMachine(stage.config(), stored, unfit, moment());
  }

  /** Another life of this member with what its disk holds. */
  Puppet restarted() {
    return new Puppet(stage, onDisk, null);
  }

  private Moment moment() {
    return new Moment(millis * MILLI, unixSecond, 0);
  }

  /** The monotonic clock moves on; nothing is told. */
  Puppet after(long moreMillis) {
    millis += moreMillis;
    return this;
  }

  Puppet atUnixSecond(long second) {
    unixSecond = second;
    return this;
  }

  Puppet diskFull(boolean full) {
    diskFull = full;
    return this;
  }

  // What it is told.

  Puppet tick() {
    return tell(new Input.Tick());
  }

  Puppet linked(int member) {
    return tell(new Input.Linked(member, "process-" + member, null));
  }

  Puppet unlinked(int member) {
    return tell(new Input.Unlinked(member));
  }

  Puppet acquire() {
    return acquireAbove(0);
  }

  Puppet acquireAbove(long epoch) {
    Duration lease = Duration.ofMillis(Stage.LEASE);
    return ask(new Request.Acquire(new Claim("b-1", null, lease, lease, epoch, null, null, true)));
  }

  Puppet renew(long term) {
    return ask(new Request.Renew("b-1", term, Duration.ofMillis(Stage.LEASE), null));
  }

  Puppet release(long term) {
    return ask(new Request.Release("b-1", term, Stage.CLUSTER));
  }

  /** Lets go, with a wish who should follow. */
  Puppet releaseTo(String member, long term) {
    return ask(new Request.Release("b-1", term, Stage.CLUSTER, member));
  }

  Puppet look() {
    return ask(new Request.Look());
  }

  private Puppet ask(Request request) {
    asked++;
    return tell(new Input.Asked(asked, request));
  }

  Puppet hears(int from, Message message) {
    return tell(new Input.Received(from, message));
  }

  /** These members would elect it, in reply to its newest pre-vote. */
  Puppet preVotes(int... members) {
    PreVote question = newest(PreVote.class);
    for (int member : members) {
      hears(member, new PreVoteReply(question.sequence(), 0, true, -1, 0, 0));
    }
    return this;
  }

  /** These members vote for it, in reply to its newest request. */
  Puppet votes(int... members) {
    RequestVote question = newest(RequestVote.class);
    for (int member : members) {
      hears(member, new VoteReply(question.sequence(), question.term(), true));
    }
    return this;
  }

  /** These members promise, in reply to its newest heartbeat. */
  Puppet promises(int... members) {
    return promisesUpon(newest(Heartbeat.class), members);
  }

  Puppet promisesUpon(Heartbeat beat, int... members) {
    for (int member : members) {
      hears(member, new HeartbeatReply(beat.sequence(), beat.term(), true, false, 0));
    }
    return this;
  }

  /** A member that keeps a ballot tells its term, in reply to the newest probe. */
  Puppet report(int from, long term) {
    long sequence = newest(Probe.class).sequence();
    return hears(from, new Report(sequence, term, true, Stage.LEASE));
  }

  /** A member without a ballot says so, in reply to the newest probe. */
  Puppet reportOfNewcomer(int from) {
    return hears(from, new Report(newest(Probe.class).sequence(), 0, false, Stage.LEASE));
  }

  private Puppet tell(Input input) {
    effects = new ArrayList<>();
    perform(machine.step(input, moment()));
    return this;
  }

  private void perform(List<Effect> wanted) {
    for (Effect effect : wanted) {
      if (effect instanceof Effect.Save save) {
        if (diskFull) {
          unsaved = true;
          perform(machine.step(new Input.SaveFailed("disk full"), moment()));
          return;
        }
        onDisk = save.ballot();
      } else if (effect instanceof Effect.Send send) {
        everSent.add(send.message());
      }
      effects.add(effect);
    }
    if (unsaved && wanted.stream().anyMatch(Effect.Save.class::isInstance)) {
      unsaved = false;
      perform(machine.step(new Input.SavedAgain(), moment()));
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
  List<Effect> effects() {
    return effects;
  }

  /** What was sent in the last step, one for each receiver. */
  <T extends Message> List<T> sent(Class<T> kind) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(effect -> ((Effect.Send) effect).message())
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  <T extends Message> T newest(Class<T> kind) {
    List<Message> all = everSent.stream().filter(kind::isInstance).toList();
    return kind.cast(all.get(all.size() - 1));
  }

  /** What its election was answered in the last step. */
  List<Answer> answers() {
    return effects.stream()
        .filter(Effect.Answer.class::isInstance)
        .map(effect -> ((Effect.Answer) effect).answer())
        .toList();
  }

  @Nullable String impediment() {
    return machine.impediment();
  }

  @Nullable String outage() {
    return machine.outage(moment());
  }

  Succession succession() {
    return machine.succession(moment());
  }

  @Nullable Ballot onDisk() {
    return onDisk;
  }
}
