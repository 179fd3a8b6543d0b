package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.disk.VoteStore;
import io.portcullis.backend.quorum.machine.HardState;
import io.portcullis.backend.quorum.machine.MemberStepContext;
import io.portcullis.backend.quorum.machine.QuorumConfig;
import io.portcullis.backend.quorum.machine.QuorumEffect;
import io.portcullis.backend.quorum.machine.QuorumInput;
import io.portcullis.backend.quorum.machine.QuorumMachine;
import io.portcullis.backend.quorum.machine.QuorumMessage;
import io.portcullis.backend.quorum.network.Network;
import io.portcullis.backend.quorum.network.Network.MessageReceiver;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
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
 * The event loop of one member: passes inputs to the machine and executes the effects of each step
 * in order. If a ballot can't be saved, the remaining effects of that step are dropped, so that
 * nothing that depends on the ballot leaves this process.
 */
final class MemberLoop implements MessageReceiver {
  /** Maximum time between steps; bounds how late an unresponsive member is detected. */
  private static final long MAX_IDLE_NANOS = Duration.ofMillis(250).toNanos();

  /** Interval between attempts to read a ballot that could not be read. */
  private static final Duration READ_AGAIN_INTERVAL = Duration.ofSeconds(1);

  private final QuorumMachine machine;
  private final @Nullable VoteStore voteStore;
  private final Network network;
  private final RequestQueue requests;
  private final Runnable hint;
  private final MemberLog log;
  private final ConnectedMembers connectedMembers;
  private final Deque<QuorumInput> next = new ArrayDeque<>();

  /** Members whose last message had an invalid term. */
  private final BitSet invalidTerm = new BitSet();

  /** The store whose ballot could not be read; null if it was read or there is no store. */
  private @Nullable VoteStore unreadable;

  private long readAgainNanos;
  private boolean saveFailed;
  private @Nullable String duplicate;

  private MemberLoop(
      QuorumMachine machine,
      @Nullable VoteStore voteStore,
      Network network,
      RequestQueue requests,
      Runnable hint,
      MemberLog log,
      ConnectedMembers connectedMembers) {
    this.machine = machine;
    this.voteStore = voteStore;
    this.network = network;
    this.requests = requests;
    this.hint = hint;
    this.log = log;
    this.connectedMembers = connectedMembers;
  }

  /**
   * Creates a member with the ballot in its vote store. If the ballot can't be read, the member
   * does not vote until the ballot is repaired.
   */
  static MemberLoop with(
      QuorumConfig config,
      VoteStore voteStore,
      Network network,
      RequestQueue requests,
      Runnable hint,
      MemberLog log,
      ConnectedMembers connectedMembers) {
    HardState stored;
    try {
      stored = voteStore.load().orElse(null);
    } catch (IOException e) {
      MemberLoop unfit =
          unfit(
              config,
              String.valueOf(e.getMessage()),
              network,
              requests,
              hint,
              log,
              connectedMembers);
      unfit.unreadable = voteStore;
      unfit.readAgainNanos = System.nanoTime() + READ_AGAIN_INTERVAL.toNanos();
      return unfit;
    }
    QuorumMachine machine = new QuorumMachine(config, stored, null, now());
    return new MemberLoop(machine, voteStore, network, requests, hint, log, connectedMembers);
  }

  /** Creates a member without a vote store: it never votes and only follows the leader. */
  static MemberLoop unfit(
      QuorumConfig config,
      String why,
      Network network,
      RequestQueue requests,
      Runnable hint,
      MemberLog log,
      ConnectedMembers connectedMembers) {
    QuorumMachine machine = new QuorumMachine(config, null, why, now());
    return new MemberLoop(machine, null, network, requests, hint, log, connectedMembers);
  }

  private static MemberStepContext now() {
    return new MemberStepContext(
        System.nanoTime(),
        System.currentTimeMillis() / 1000,
        ThreadLocalRandom.current().nextDouble());
  }

  /**
   * Runs until the member is closed, another process is found to run as this member, or the ballot
   * has been repaired. In the last case the caller starts the member again with the repaired
   * ballot.
   *
   * @return the reason why this process can't be the member, null in the other cases
   */
  @Nullable String run(BooleanSupplier isClosing) throws IOException {
    while (!isClosing.getAsBoolean() && duplicate == null && !isBallotRepaired()) {
      if (network.hasCalledSelf()) {
        log.reportVoting(machine.notVotingReason(), voteStore == null || saveFailed);
      }
      for (QuorumInput.Asked asked = requests.next(); asked != null; asked = requests.next()) {
        step(asked);
      }
      network.turn(untilNextWake(), this);
      step(new QuorumInput.Tick());
    }
    return duplicate;
  }

  private boolean isBallotRepaired() {
    if (unreadable == null || readAgainNanos - System.nanoTime() > 0) {
      return false;
    }
    readAgainNanos = System.nanoTime() + READ_AGAIN_INTERVAL.toNanos();
    return unreadable.isRepaired();
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
      log.missing(machine.outage(now)); // First, so that a client that gets a response can read it.
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
      throw new AssertionError("a member without a vote store votes: " + ballot);
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
    duplicate =
        "another process of this member, "
            + identity
            + ", responds at its address in quorum.members: give each its own quorum.self, or stop"
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
    invalidTerm.clear(member);
    if (message == null) {
      log.warn("dropped a message that this version does not know, from member " + member);
    } else {
      step(new QuorumInput.Received(member, message));
    }
  }

  /** Logs a dropped message once, until the member sends a valid term again. */
  private void dropped(int member, EpochRangeException why) {
    if (!invalidTerm.get(member)) {
      invalidTerm.set(member);
      log.warn(
          "dropped a message of member "
              + connectedMembers.members().get(member).name()
              + " whose term can't be right: "
              + why.getMessage()
              + ". Stop that member; if its ballot is invalid too, its own log names the file to"
              + " remove. The other members continue without it");
    }
  }
}
