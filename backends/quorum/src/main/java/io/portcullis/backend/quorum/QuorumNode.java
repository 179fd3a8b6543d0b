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
import io.portcullis.election.store.MemberInfo;
import io.portcullis.election.threads.DaemonThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One member of the quorum in this process, with a thread of its own that opens its ballot and its
 * port, and tries again where it can't.
 */
public final class QuorumNode implements AutoCloseable {
  /** How long to wait before the folder or the port is tried again. */
  private static final Duration REOPEN_INTERVAL = Duration.ofSeconds(1);

  /** How long closing waits for the last messages to leave. */
  private static final Duration MAX_CLOSE_WAIT = Duration.ofSeconds(2);

  private final QuorumConfig config;
  private final NetworkConfig links;
  private final Path dataDir;
  private final MemberLog log;
  private final ConnectedMembers connectedMembers;
  private final RequestQueue requests = new RequestQueue();
  private final Thread thread;
  private volatile Runnable hint = () -> {};
  private volatile @Nullable Network network;
  private volatile @Nullable Throwable broken;
  private volatile boolean closing;

  QuorumNode(String election, QuorumConfig config, NetworkConfig links, Path dataDir) {
    this.config = config;
    this.links = links;
    this.dataDir = dataDir;
    this.log = new MemberLog(election, config.identity());
    this.connectedMembers = new ConnectedMembers(links);
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
    CompletionStage<LeaseResponse> answer = requests.ask(request);
    wake();
    return answer;
  }

  /** What keeps it from voting, null if nothing does. */
  @Nullable String impediment() {
    return log.impediment();
  }

  /** Who is missing for a majority, null if enough are heard. */
  @Nullable String outage() {
    return log.outage();
  }

  /** All members, and who of them is linked with this one. */
  List<MemberInfo> members() {
    return connectedMembers.members();
  }

  /** Who could follow this member while it leads. */
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

  /** What has passed over its links, null before they are open. */
  @Nullable NetworkStats traffic() {
    Network at = network;
    return at == null ? null : at.traffic();
  }

  private void wake() {
    Network at = network;
    if (at != null) {
      at.wake();
    }
  }

  private void run() {
    try {
      while (!closing) {
        String hindrance = serve();
        if (hindrance != null) {
          log.cannotStart(hindrance);
          answerMeanwhile(hindrance);
        }
      }
      requests.close("this member has stopped");
    } catch (Throwable e) { // The edge of the thread: whatever it is, this member falls silent.
      broken = e;
      requests.close("this member ended by a bug: " + e);
      log.broken(e);
    }
  }

  /** Serves until the end; what is in the way if that can't begin. */
  private @Nullable String serve() {
    try (VoteStore box = VoteStore.open(dataDir, config.cluster(), config.selfId())) {
      box.ephemeral().ifPresent(log::warn);
      return serve(box, "");
    } catch (FolderLockedException e) {
      return String.valueOf(e.getMessage());
    } catch (UnusableFolderException e) {
      return serve(null, String.valueOf(e.getMessage()));
    }
  }

  /** Each time is another life of this member, as after a restart. */
  private @Nullable String serve(@Nullable VoteStore box, String unfit) {
    QuorumConfig life = config.countingFrom(ThreadLocalRandom.current().nextLong());
    try (Network opened = Network.open(links)) {
      network = opened;
      Runnable wakeElection = () -> hint.run();
      MemberLoop shift =
          box == null
              ? MemberLoop.unfit(life, unfit, opened, requests, wakeElection, log, connectedMembers)
              : MemberLoop.with(life, box, opened, requests, wakeElection, log, connectedMembers);
      return shift.work(() -> closing);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    } finally {
      connectedMembers.allDisconnected();
    }
  }

  private void answerMeanwhile(String why) throws InterruptedException {
    long until = System.nanoTime() + REOPEN_INTERVAL.toNanos();
    for (long left = REOPEN_INTERVAL.toMillis(); left > 0 && !closing; ) {
      var asked = requests.next(left);
      if (asked != null) {
        requests.answer(asked.id(), new LeaseResponse.Unknown(why));
      }
      left = (until - System.nanoTime()) / 1_000_000;
    }
  }

  /** Lets the last messages leave, and ends. */
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
   * A bug has ended this member. No answer will ever come, so whoever asks is to end too and be
   * seen to: an error, since that is what is not taken for a store that can't be reached.
   */
  static final class MemberFailedError extends Error {
    private static final long serialVersionUID = 1L;

    MemberFailedError(Throwable bug) {
      super("this member of the quorum was ended by a bug", bug);
    }
  }
}
