package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.disk.FolderLock.FolderLockedException;
import io.portcullis.backend.quorum.disk.VoteStore;
import io.portcullis.backend.quorum.disk.VoteStore.UnusableFolderException;
import io.portcullis.backend.quorum.machine.QuorumConfig;
import io.portcullis.backend.quorum.machine.QuorumMachine.Succession;
import io.portcullis.backend.quorum.network.Network;
import io.portcullis.backend.quorum.network.NetworkConfig;
import io.portcullis.backend.quorum.network.NetworkStats;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.StoreFeatures.MemberInfo;
import io.portcullis.election.threads.DaemonThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One member of the quorum in this process. Its thread opens the vote store and the port, and
 * retries if one of them is unavailable.
 */
public final class QuorumNode implements AutoCloseable {
  /** Wait before the folder or the port is tried again. */
  private static final Duration REOPEN_INTERVAL = Duration.ofSeconds(1);

  /** Maximum time that {@link #close} waits for the last messages to be sent. */
  private static final Duration MAX_CLOSE_WAIT = Duration.ofSeconds(2);

  private final QuorumConfig config;
  private final NetworkConfig networkConfig;
  private final Path dataDir;
  private final MemberLog log;
  private final ConnectedMembers connectedMembers;
  private final RequestQueue requests = new RequestQueue();
  private final Thread thread;
  private volatile Runnable hint = () -> {};
  private volatile @Nullable Network network;
  private volatile @Nullable Throwable broken;
  private volatile boolean closing;

  QuorumNode(String election, QuorumConfig config, NetworkConfig networkConfig, Path dataDir) {
    this.config = config;
    this.networkConfig = networkConfig;
    this.dataDir = dataDir;
    this.log = new MemberLog(election, config.identity());
    this.connectedMembers = new ConnectedMembers(networkConfig);
    this.thread = DaemonThreads.unstarted("portcullis-" + election + "-quorum", this::run);
  }

  void start() {
    thread.start();
  }

  void onHint(Runnable wake) {
    hint = wake;
  }

  CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    Throwable bug = broken;
    if (bug != null) {
      throw new MemberFailedError(bug);
    }
    CompletionStage<LeaseResponse> response = requests.ask(request);
    wake();
    return response;
  }

  /** The reason why this member does not vote, null if it votes. */
  @Nullable String notVotingReason() {
    return log.notVotingReason();
  }

  /** The members that are missing for a majority, null if enough have replied. */
  @Nullable String outage() {
    return log.outage();
  }

  /** All members, each with its connection state. */
  List<MemberInfo> members() {
    return connectedMembers.members();
  }

  /** The possible successors of this member while it leads. */
  Succession succession() {
    return requests.succession();
  }

  /** The highest epoch above which this quorum could elect now. */
  long highestEpochToFollow() {
    return requests.highestEpochToFollow();
  }

  /** This member's own id. */
  String id() {
    return config.selfId();
  }

  /** Network counters, null before the network is open. */
  @Nullable NetworkStats traffic() {
    Network open = network;
    return open == null ? null : open.traffic();
  }

  private void wake() {
    Network open = network;
    if (open != null) {
      open.wake();
    }
  }

  private void run() {
    try {
      while (!closing) {
        String problem = serve();
        if (problem != null) {
          log.cannotStart(problem);
          answerUnknown(problem);
        }
      }
      requests.close("this member has stopped");
    } catch (Throwable e) { // Top of the thread: after any failure this member sends nothing more.
      broken = e;
      requests.close("this member was stopped by a bug: " + e);
      log.broken(e);
    }
  }

  /** Runs the member until it is closed; returns the reason if it can't start or continue. */
  private @Nullable String serve() {
    try (VoteStore voteStore = VoteStore.open(dataDir, config.cluster(), config.selfId())) {
      voteStore.ephemeral().ifPresent(log::warn);
      return serve(voteStore, "");
    } catch (FolderLockedException e) {
      return String.valueOf(e.getMessage());
    } catch (UnusableFolderException e) {
      return serve(null, String.valueOf(e.getMessage()));
    }
  }

  /** Runs one incarnation of this member: each call counts as a restart. */
  private @Nullable String serve(@Nullable VoteStore voteStore, String unfitWhy) {
    QuorumConfig incarnation = config.countingFrom(ThreadLocalRandom.current().nextLong());
    try (Network opened = Network.open(networkConfig)) {
      network = opened;
      Runnable wakeElection = () -> hint.run();
      MemberLoop loop =
          voteStore == null
              ? MemberLoop.unfit(
                  incarnation, unfitWhy, opened, requests, wakeElection, log, connectedMembers)
              : MemberLoop.with(
                  incarnation, voteStore, opened, requests, wakeElection, log, connectedMembers);
      return loop.run(() -> closing);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    } finally {
      connectedMembers.allDisconnected();
    }
  }

  /** Responds to requests until it is time to retry. */
  private void answerUnknown(String why) throws InterruptedException {
    long until = System.nanoTime() + REOPEN_INTERVAL.toNanos();
    for (long left = REOPEN_INTERVAL.toMillis(); left > 0 && !closing; ) {
      var asked = requests.next(left);
      if (asked != null) {
        requests.answer(asked.id(), new LeaseResponse.Unknown(why));
      }
      left = (until - System.nanoTime()) / 1_000_000;
    }
  }

  /** Stops this member after its last messages are sent. */
  @Override
  public void close() {
    closing = true;
    wake();
    try {
      thread.join(MAX_CLOSE_WAIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Thrown when a request is made after a bug has stopped this member. No request will ever be
   * answered, so the election must stop too and report it. It is an {@link Error} because an
   * exception would be treated as an unreachable store.
   */
  static final class MemberFailedError extends Error {
    private static final long serialVersionUID = 1L;

    MemberFailedError(Throwable bug) {
      super("this quorum member was stopped by a bug", bug);
    }
  }
}
