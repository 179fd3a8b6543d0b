package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.disk.VoteStore;
import io.portcullis.backend.quorum.machine.HardState;
import io.portcullis.backend.quorum.machine.MemberStepContext;
import io.portcullis.backend.quorum.machine.QuorumConfig;
import io.portcullis.backend.quorum.machine.QuorumEffect;
import io.portcullis.backend.quorum.machine.QuorumInput;
import io.portcullis.backend.quorum.machine.QuorumMachine;
import io.portcullis.backend.quorum.machine.QuorumMessage;
import io.portcullis.backend.quorum.network.MessageReceiver;
import io.portcullis.backend.quorum.network.Network;
import io.portcullis.backend.quorum.network.PeerProcess;
import io.portcullis.election.store.EpochRangeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A member at work, from the opening of its ballot to the end: carries inputs to the machine and
 * does what the machine wants done, in that order. A ballot that can't be saved ends what the step
 * wanted: nothing that rests on it leaves this process.
 */
final class MemberLoop implements MessageReceiver {
  /** The longest time without a step: so late is it told who does not answer. */
  private static final long MAX_IDLE_NANOS = Duration.ofMillis(250).toNanos();

  /** Pause between attempts to read a ballot that can't be read. */
  private static final Duration READ_AGAIN_INTERVAL = Duration.ofSeconds(1);

  private final QuorumMachine machine;
  private final @Nullable VoteStore voteStore;
  private final Network network;
  private final RequestQueue requests;
  private final Runnable hint;
  private final MemberLog log;
  private final ConnectedMembers connectedMembers;
  private final Deque<QuorumInput> next = new ArrayDeque<>();
  private final BitSet implausible = new BitSet();

  /** The box whose ballot could not be read; null if it could, or if there is no box. */
  private @Nullable VoteStore unread;

  private long readAgainNanos;
  private boolean saveFailed;
  private @Nullable String hindrance;

  private MemberLoop(
      QuorumMachine machine,
      @Nullable VoteStore box,
      Network network,
      RequestQueue questions,
      Runnable hint,
      MemberLog log,
      ConnectedMembers attendance) {
    this.machine = machine;
    this.voteStore = box;
    this.network = network;
    this.requests = questions;
    this.hint = hint;
    this.log = log;
    this.connectedMembers = attendance;
  }

  /**
   * With the ballot that the box holds. If it can't be read, the member does not vote until the
   * ballot is repaired.
   */
  static MemberLoop with(
      QuorumConfig config,
      VoteStore box,
      Network network,
      RequestQueue questions,
      Runnable hint,
      MemberLog log,
      ConnectedMembers attendance) {
    HardState stored;
    try {
      stored = box.load().orElse(null);
    } catch (IOException e) {
      MemberLoop unfit =
          unfit(config, String.valueOf(e.getMessage()), network, questions, hint, log, attendance);
      unfit.unread = box;
      unfit.readAgainNanos = System.nanoTime() + READ_AGAIN_INTERVAL.toNanos();
      return unfit;
    }
    QuorumMachine machine = new QuorumMachine(config, stored, null, now());
    return new MemberLoop(machine, box, network, questions, hint, log, attendance);
  }

  /** Without a place for its ballot: it never votes, and only sees who leads. */
  static MemberLoop unfit(
      QuorumConfig config,
      String why,
      Network network,
      RequestQueue questions,
      Runnable hint,
      MemberLog log,
      ConnectedMembers attendance) {
    QuorumMachine machine = new QuorumMachine(config, null, why, now());
    return new MemberLoop(machine, null, network, questions, hint, log, attendance);
  }

  private static MemberStepContext now() {
    return new MemberStepContext(
        System.nanoTime(),
        System.currentTimeMillis() / 1000,
        ThreadLocalRandom.current().nextDouble());
  }

  /**
   * Works until it is over, or a reason is found why this process can't be the member, or its
   * ballot has been repaired. In the last case the caller starts the member again, with the
   * repaired ballot.
   */
  @Nullable String work(BooleanSupplier isOver) throws IOException {
    while (!isOver.getAsBoolean() && hindrance == null && !isBallotRepaired()) {
      if (network.hasCalledSelf()) {
        log.reportVoting(machine.impediment(), voteStore == null || saveFailed);
      }
      for (QuorumInput.Asked asked = requests.next(); asked != null; asked = requests.next()) {
        step(asked);
      }
      network.turn(untilNextWake(), this);
      step(new QuorumInput.Tick());
    }
    return hindrance;
  }

  private boolean isBallotRepaired() {
    if (unread == null || readAgainNanos - System.nanoTime() > 0) {
      return false;
    }
    readAgainNanos = System.nanoTime() + READ_AGAIN_INTERVAL.toNanos();
    return unread.isRepaired();
  }

  private long untilNextWake() {
    MemberStepContext now = now();
    long wake = machine.wakeAtNanos(now).orElse(now.nanos() + MAX_IDLE_NANOS);
    return Math.min(wake - now.nanos(), MAX_IDLE_NANOS);
  }

  private void step(QuorumInput first) {
    next.add(first);
    for (QuorumInput input = next.poll(); input != null; input = next.poll()) {
      MemberStepContext now = now();
      List<QuorumEffect> effects = machine.step(input, now);
      log.missing(machine.outage(now)); // First, so that whoever is answered finds it.
      requests.setSuccession(machine.succession(now));
      requests.setHighestEpochToFollow(machine.highestEpochToFollow(now));
      perform(effects);
    }
  }

  private void perform(List<QuorumEffect> effects) {
    for (QuorumEffect effect : effects) {
      if (effect instanceof QuorumEffect.Save save) {
        if (!save(save.ballot())) {
          return;
        }
      } else if (effect instanceof QuorumEffect.Send send) {
        network.send(send.to(), MessageCodec.encode(send.message()));
      } else if (effect instanceof QuorumEffect.Answer answer) {
        requests.answer(answer.id(), answer.answer());
      } else {
        hint.run();
      }
    }
  }

  private boolean save(HardState ballot) {
    if (voteStore == null) {
      throw new AssertionError("a member without a ballot box votes: " + ballot);
    }
    try {
      voteStore.save(ballot);
    } catch (IOException e) {
      saveFailed = true;
      next.add(new QuorumInput.SaveFailed(String.valueOf(e.getMessage())));
      return false;
    }
    if (saveFailed) {
      saveFailed = false;
      next.add(new QuorumInput.SavedAgain());
    }
    return true;
  }

  @Override
  public void linked(int member, PeerProcess peer) {
    connectedMembers.connected(member, peer.identity());
    step(new QuorumInput.Linked(member, peer.identity(), peer.address()));
  }

  @Override
  public void unlinked(int member) {
    connectedMembers.disconnected(member);
    step(new QuorumInput.Unlinked(member));
  }

  @Override
  public void duplicateFound(String identity) {
    hindrance =
        "another process of this member, "
            + identity
            + ", answers at its address in quorum.members: give each its own quorum.self, or end"
            + " one of the two";
  }

  @Override
  public void received(int member, byte[] payload) {
    QuorumMessage message;
    try {
      message = MessageCodec.decode(payload);
    } catch (EpochRangeException e) {
      dropped(member, e);
      return;
    }
    implausible.clear(member);
    if (message == null) {
      log.warn("dropped a message that is none of this version's, from member " + member);
    } else {
      step(new QuorumInput.Received(member, message));
    }
  }

  /** Logs once, until the member sends a valid term again. */
  private void dropped(int member, EpochRangeException why) {
    if (!implausible.get(member)) {
      implausible.set(member);
      log.warn(
          "dropped a message of member "
              + connectedMembers.members().get(member).name()
              + " whose term can't be right: "
              + why.getMessage()
              + ". Stop that member; if its ballot can't be right either, its own log names the"
              + " file to remove. The other members go on without it");
    }
  }
}
