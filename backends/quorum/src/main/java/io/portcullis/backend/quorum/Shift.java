package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.disk.BallotBox;
import io.portcullis.backend.quorum.machine.Ballot;
import io.portcullis.backend.quorum.machine.Effect;
import io.portcullis.backend.quorum.machine.Input;
import io.portcullis.backend.quorum.machine.Message;
import io.portcullis.backend.quorum.machine.Moment;
import io.portcullis.backend.quorum.machine.QuorumConfig;
import io.portcullis.backend.quorum.machine.QuorumMachine;
import io.portcullis.backend.quorum.net.Network;
import io.portcullis.backend.quorum.net.Peer;
import io.portcullis.backend.quorum.net.Receiver;
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
final class Shift implements Receiver {
  /** The longest time without a step: so late is it told who does not answer. */
  private static final long MOST_IDLE_NANOS = Duration.ofMillis(250).toNanos();

  /** Pause between attempts to read a ballot that can't be read. */
  private static final Duration READ_AGAIN_INTERVAL = Duration.ofSeconds(1);

  private final QuorumMachine machine;
  private final @Nullable BallotBox box;
  private final Network network;
  private final Questions questions;
  private final Runnable hint;
  private final MemberLog log;
  private final Attendance attendance;
  private final Deque<Input> next = new ArrayDeque<>();
  private final BitSet implausible = new BitSet();

  /** The box whose ballot could not be read; null if it could, or if there is no box. */
  private @Nullable BallotBox unread;

  private long readAgainNanos;
  private boolean saveFailed;
  private @Nullable String hindrance;

  private Shift(
      QuorumMachine machine,
      @Nullable BallotBox box,
      Network network,
      Questions questions,
      Runnable hint,
      MemberLog log,
      Attendance attendance) {
    this.machine = machine;
    this.box = box;
    this.network = network;
    this.questions = questions;
    this.hint = hint;
    this.log = log;
    this.attendance = attendance;
  }

  /**
   * With the ballot that the box holds. If it can't be read, the member does not vote until the
   * ballot is repaired.
   */
  static Shift with(
      QuorumConfig config,
      BallotBox box,
      Network network,
      Questions questions,
      Runnable hint,
      MemberLog log,
      Attendance attendance) {
    Ballot stored;
    try {
      stored = box.load().orElse(null);
    } catch (IOException e) {
      Shift unfit =
          unfit(config, String.valueOf(e.getMessage()), network, questions, hint, log, attendance);
      unfit.unread = box;
      unfit.readAgainNanos = System.nanoTime() + READ_AGAIN_INTERVAL.toNanos();
      return unfit;
    }
    QuorumMachine machine = new QuorumMachine(config, stored, null, now());
    return new Shift(machine, box, network, questions, hint, log, attendance);
  }

  /** Without a place for its ballot: it never votes, and only sees who leads. */
  static Shift unfit(
      QuorumConfig config,
      String why,
      Network network,
      Questions questions,
      Runnable hint,
      MemberLog log,
      Attendance attendance) {
    QuorumMachine machine = new QuorumMachine(config, null, why, now());
    return new Shift(machine, null, network, questions, hint, log, attendance);
  }

  private static Moment now() {
    return new Moment(
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
        log.standing(machine.impediment(), box == null || saveFailed);
      }
      for (Input.Asked asked = questions.next(); asked != null; asked = questions.next()) {
        step(asked);
      }
      network.turn(untilNextWake(), this);
      step(new Input.Tick());
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
    Moment now = now();
    long wake = machine.wakeAtNanos(now).orElse(now.nanos() + MOST_IDLE_NANOS);
    return Math.min(wake - now.nanos(), MOST_IDLE_NANOS);
  }

  private void step(Input first) {
    next.add(first);
    for (Input input = next.poll(); input != null; input = next.poll()) {
      Moment now = now();
      List<Effect> effects = machine.step(input, now);
      log.missing(machine.outage(now)); // First, so that whoever is answered finds it.
      questions.successionIs(machine.succession(now));
      questions.highestEpochToFollowIs(machine.highestEpochToFollow(now));
      perform(effects);
    }
  }

  private void perform(List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Save save) {
        if (!save(save.ballot())) {
          return;
        }
      } else if (effect instanceof Effect.Send send) {
        network.send(send.to(), MessageCodec.encode(send.message()));
      } else if (effect instanceof Effect.Answer answer) {
        questions.answer(answer.id(), answer.answer());
      } else {
        hint.run();
      }
    }
  }

  private boolean save(Ballot ballot) {
    if (box == null) {
      throw new AssertionError("a member without a ballot box votes: " + ballot);
    }
    try {
      box.save(ballot);
    } catch (IOException e) {
      saveFailed = true;
      next.add(new Input.SaveFailed(String.valueOf(e.getMessage())));
      return false;
    }
    if (saveFailed) {
      saveFailed = false;
      next.add(new Input.SavedAgain());
    }
    return true;
  }

  @Override
  public void linked(int member, Peer peer) {
    attendance.came(member, peer.identity());
    step(new Input.Linked(member, peer.identity(), peer.address()));
  }

  @Override
  public void unlinked(int member) {
    attendance.went(member);
    step(new Input.Unlinked(member));
  }

  @Override
  public void doubled(String identity) {
    hindrance =
        "another process of this member, "
            + identity
            + ", answers at its address in quorum.members: give each its own quorum.self, or end"
            + " one of the two";
  }

  @Override
  public void received(int member, byte[] payload) {
    Message message;
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
      step(new Input.Received(member, message));
    }
  }

  /** Logs once, until the member sends a valid term again. */
  private void dropped(int member, EpochRangeException why) {
    if (!implausible.get(member)) {
      implausible.set(member);
      log.warn(
          "dropped a message of member "
              + attendance.companions().get(member).name()
              + " whose term can't be right: "
              + why.getMessage()
              + ". Stop that member; if its ballot can't be right either, its own log names the"
              + " file to remove. The other members go on without it");
    }
  }
}
