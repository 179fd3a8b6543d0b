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
 * A member with clocks, disk and inputs controlled by the test. The effects of a step are performed
 * as in production: a failed save skips the rest of the step. The wall clock stays at second 0
 * unless the test sets it.
 */
final class MachineDriver {
  private static final long MILLI = 1_000_000;
  private static final long UNUSED_SEQUENCE = 77;

  private final MachineDriverBuilder builder;
  private final QuorumMachine machine;
  private final List<QuorumMessage> allSent = new ArrayList<>();
  private List<QuorumEffect> effects = new ArrayList<>();
  private @Nullable HardState onDisk;
  private boolean diskFull;
  private boolean unsaved;
  private long millis;
  private long unixSecond;
  private long lastRequestId;

  MachineDriver(
      MachineDriverBuilder builder, @Nullable HardState stored, @Nullable String unreadableReason) {
    this.builder = builder;
    this.onDisk = stored;
    this.machine = new QuorumMachine(builder.config(), stored, unreadableReason, stepContext());
  }

  /** A new process of this member with the hard state on its disk. */
  MachineDriver restarted() {
    return new MachineDriver(builder, onDisk, null);
  }

  private MemberStepContext stepContext() {
    return new MemberStepContext(millis * MILLI, unixSecond, 0);
  }

  /** Advances the monotonic clock without an input. */
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

  // Inputs.

  MachineDriver tick() {
    return deliver(new QuorumInput.Tick());
  }

  MachineDriver linked(int member) {
    return deliver(new QuorumInput.Linked(member, "process-" + member, null));
  }

  MachineDriver unlinked(int member) {
    return deliver(new QuorumInput.Unlinked(member));
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

  /** Releases with a preferred successor. */
  MachineDriver releaseTo(String member, long term) {
    return ask(new LeaseRequest.Release("b-1", term, MachineDriverBuilder.CLUSTER, member));
  }

  MachineDriver look() {
    return ask(new LeaseRequest.Look());
  }

  private MachineDriver ask(LeaseRequest request) {
    lastRequestId++;
    return deliver(new QuorumInput.Asked(lastRequestId, request));
  }

  MachineDriver receives(int from, QuorumMessage message) {
    return deliver(new QuorumInput.Received(from, message));
  }

  /** These members grant its newest pre-vote. */
  MachineDriver preVotes(int... members) {
    PreVote request = newest(PreVote.class);
    for (int member : members) {
      receives(member, new PreVoteReply(request.sequence(), 0, true, -1, 0, 0));
    }
    return this;
  }

  /** These members grant its newest vote request. */
  MachineDriver votes(int... members) {
    RequestVote request = newest(RequestVote.class);
    for (int member : members) {
      receives(member, new VoteReply(request.sequence(), request.term(), true));
    }
    return this;
  }

  /** These members promise in reply to its newest heartbeat. */
  MachineDriver promises(int... members) {
    return promisesFor(newest(Heartbeat.class), members);
  }

  MachineDriver promisesFor(Heartbeat heartbeat, int... members) {
    for (int member : members) {
      receives(member, new HeartbeatReply(heartbeat.sequence(), heartbeat.term(), true, false, 0));
    }
    return this;
  }

  /** A member with a ballot reports its term in reply to the newest probe. */
  MachineDriver report(int from, long term) {
    long sequence = newest(Probe.class).sequence();
    return receives(from, new Report(sequence, term, true, MachineDriverBuilder.LEASE));
  }

  /** A recovering member replies to the newest probe. */
  MachineDriver reportWithoutBallot(int from) {
    return receives(
        from, new Report(newest(Probe.class).sequence(), 0, false, MachineDriverBuilder.LEASE));
  }

  private MachineDriver deliver(QuorumInput input) {
    effects = new ArrayList<>();
    perform(machine.step(input, stepContext()));
    return this;
  }

  private void perform(List<QuorumEffect> requested) {
    for (QuorumEffect effect : requested) {
      if (effect instanceof QuorumEffect.Save save) {
        if (diskFull) {
          unsaved = true;
          perform(machine.step(new QuorumInput.SaveFailed("disk full"), stepContext()));
          return;
        }
        onDisk = save.ballot();
      } else if (effect instanceof QuorumEffect.Send send) {
        allSent.add(send.message());
      }
      effects.add(effect);
    }
    if (unsaved && requested.stream().anyMatch(QuorumEffect.Save.class::isInstance)) {
      unsaved = false;
      perform(machine.step(new QuorumInput.SavedAgain(), stepContext()));
    }
  }

  // Outputs.

  /** Sends a vote request to it; returns whether it votes for this candidate. */
  boolean votesFor(int candidate, long term) {
    return receives(candidate, new RequestVote(UNUSED_SEQUENCE, term))
        .sent(VoteReply.class)
        .stream()
        .anyMatch(VoteReply::granted);
  }

  /** Sends a pre-vote to it; returns whether it grants it. */
  boolean wouldVoteFor(int candidate, long term) {
    return receives(candidate, new PreVote(UNUSED_SEQUENCE, term, 0, 0))
        .sent(PreVoteReply.class)
        .stream()
        .anyMatch(PreVoteReply::granted);
  }

  /** Sends a heartbeat to it; returns whether it promises. */
  boolean promisesTo(int leader, long term, long leaseMillis) {
    return receives(leader, new Heartbeat(UNUSED_SEQUENCE, term, leaseMillis))
        .sent(HeartbeatReply.class)
        .stream()
        .anyMatch(HeartbeatReply::promised);
  }

  /** The effects of the last step, in order. */
  List<QuorumEffect> effects() {
    return effects;
  }

  /** The messages sent in the last step, one for each receiver. */
  <T extends QuorumMessage> List<T> sent(Class<T> type) {
    return effects.stream()
        .filter(QuorumEffect.Send.class::isInstance)
        .map(effect -> ((QuorumEffect.Send) effect).message())
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  <T extends QuorumMessage> T newest(Class<T> type) {
    List<QuorumMessage> all = allSent.stream().filter(type::isInstance).toList();
    return type.cast(all.get(all.size() - 1));
  }

  /** The responses to its election in the last step. */
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
    return machine.outage(stepContext());
  }

  Succession succession() {
    return machine.succession(stepContext());
  }

  @Nullable HardState onDisk() {
    return onDisk;
  }
}
