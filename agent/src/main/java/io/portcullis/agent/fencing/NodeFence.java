package io.portcullis.agent.fencing;

import io.portcullis.agent.config.FenceSection;
import io.portcullis.agent.fencing.CoverageMonitor.FenceUsage;
import io.portcullis.agent.node.FenceView;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.fence.FencePlan;
import io.portcullis.election.fence.FencedStore;
import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.protocol.FencedConnections;
import io.portcullis.gate.ElectionGate;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State of one configured fence on this node. A fence covers the database that its url names, its
 * home, and further databases that the application has connections to and that its match covers.
 */
final class NodeFence {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** Maximum number of databases beside the home; each costs a thread and a session. */
  static final int MAX_DATABASES = 32;

  /** How long a database without connections is kept up to date. */
  static final Duration MAX_UNUSED = Duration.ofMinutes(5);

  private final FenceSection section;
  private final ElectionGate gate;
  private final LongSupplier ticker;

  /** The databases beside the home, by address. Guarded by itself. */
  private final Map<String, FenceTarget> targets = new LinkedHashMap<>();

  /**
   * Represents all databases beyond {@link #MAX_DATABASES}. All statements that may write are
   * refused there.
   */
  private final FenceTarget overLimit;

  private final UnfencedLeaderDetector unfenced;

  /** Completed when this node starts to take part in the election. */
  private final CompletableFuture<StartedElection> started = new CompletableFuture<>();

  private final FenceTarget home;
  private volatile @Nullable EpochFence homeFence;
  private volatile @Nullable String identity;

  /** Values that are available once this node takes part in the election. */
  record StartedElection(FencedStore store, String identity) {}

  NodeFence(FenceSection section, ElectionGate gate, LongSupplier ticker) {
    this.section = section;
    this.gate = gate;
    this.ticker = ticker;
    this.unfenced = new UnfencedLeaderDetector(section.id(), section.election(), gate);
    this.home = new FenceTarget(this, section.plan().database(), FenceTarget.Kind.HOME);
    this.overLimit =
        new FenceTarget(
            this, "databases beyond the first " + MAX_DATABASES, FenceTarget.Kind.OVER_LIMIT);
  }

  boolean covers(InetSocketAddress server, String database) {
    return plan().covers(server, database);
  }

  boolean isOf(String election) {
    return section.election().equals(election);
  }

  String id() {
    return section.id();
  }

  FencePlan plan() {
    return section.plan();
  }

  boolean fencesUngated() {
    return section.ungated() == FenceSection.Ungated.FENCE;
  }

  ElectionGate gate() {
    return gate;
  }

  /** The identity under which this node writes; null before its election starts. */
  @Nullable String identity() {
    return identity;
  }

  /** The state of a database that this fence {@link #covers}, created at the first connection. */
  FenceTarget target(InetSocketAddress server, String database) {
    if (plan().isHome(server, database)) {
      return home;
    }
    String host = server.getHostString().toLowerCase(Locale.ROOT);
    String where = "jdbc:postgresql://" + host + ":" + server.getPort() + "/" + database;
    FenceTarget target;
    synchronized (targets) {
      FenceTarget known = targets.get(where);
      if (known != null) {
        known.used(ticker.getAsLong());
        return known;
      }
      if (targets.size() >= MAX_DATABASES) {
        return overLimit(where);
      }
      target = new FenceTarget(this, where, FenceTarget.Kind.JOINED);
      target.used(ticker.getAsLong());
      targets.put(where, target);
    }
    CompletionStage<StartedElection> once = started;
    once.thenAccept(
        now -> {
          EpochFence fence = plan().open(now.identity(), host, server.getPort(), database);
          target.begin(fence, now.store(), now.store().add(fence));
        });
    return target;
  }

  private FenceTarget overLimit(String where) {
    if (!overLimit.isUsed()) {
      LOG.warn(
          "portcullis fence={} covers connections to more than {} databases beside its own;"
              + " statements that may write are refused at {} and any further database, until one of"
              + " the {} has had no connection for {} minutes. Narrow the fence's match",
          id(),
          MAX_DATABASES,
          where,
          MAX_DATABASES,
          MAX_UNUSED.toMinutes());
    }
    overLimit.used(ticker.getAsLong());
    return overLimit;
  }

  EpochFence openHome(String node) {
    EpochFence opened = plan().open(node);
    identity = node;
    homeFence = opened;
    return opened;
  }

  void begin(FencedStore store) {
    home.begin(Objects.requireNonNull(homeFence), store, CompletableFuture.completedFuture(null));
    started.complete(new StartedElection(store, Objects.requireNonNull(identity)));
  }

  void refresh(ToIntFunction<FencedDatabase> connections) {
    home.refresh().thenAccept(state -> unfenced.compare(state, identity));
    for (FenceTarget target : joined()) {
      if (connections.applyAsInt(target) > 0) {
        target.used(ticker.getAsLong());
      }
      if (removeIfUnused(target)) {
        target.close();
      } else {
        target.refresh();
      }
    }
  }

  private List<FenceTarget> joined() {
    synchronized (targets) {
      return List.copyOf(targets.values());
    }
  }

  /** Atomic with {@link #target}, so that a target in use by a new connection is not removed. */
  private boolean removeIfUnused(FenceTarget target) {
    synchronized (targets) {
      return target.unusedNanos(ticker.getAsLong()) > MAX_UNUSED.toNanos()
          && targets.values().remove(target);
    }
  }

  List<FenceView> view(ToIntFunction<FencedDatabase> connections) {
    Stream<FenceTarget> withinLimit = Stream.concat(Stream.of(home), joined().stream());
    return Stream.concat(withinLimit, Stream.of(overLimit).filter(FenceTarget::isUsed))
        .map(target -> target.view(section.election(), connections.applyAsInt(target)))
        .toList();
  }

  FenceUsage use(FencedConnections connections) {
    int open = connections.connections(home);
    long opened = connections.opened(home);
    for (FenceTarget target : joined()) {
      open += connections.connections(target);
      opened += connections.opened(target);
    }
    return new FenceUsage(section.id(), section.election(), gate.openEpoch() > 0, open, opened);
  }

  /**
   * Detects a leader that bypasses a fence: it leads under an epoch that it never installed. Its
   * process has no such fence, so its late writes are not refused.
   */
  static final class UnfencedLeaderDetector {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    private final String fence;
    private final String election;
    private final ElectionGate gate;

    /**
     * The epoch that was not installed at the last comparison. Reported only if it is still missing
     * at the next one, since a new leader needs time to install it.
     */
    private long suspectedEpoch;

    private long warnedEpoch;

    UnfencedLeaderDetector(String fence, String election, ElectionGate gate) {
      this.fence = fence;
      this.election = election;
      this.gate = gate;
    }

    /** Compares the current leader's epoch with the epoch of the fence. Thread-safe. */
    synchronized void compare(FenceState state, @Nullable String self) {
      String leader = gate.leader();
      long epoch = gate.epoch();
      if (leader == null || leader.equals(self) || state.epoch() >= epoch) {
        suspectedEpoch = 0;
        return;
      }
      if (suspectedEpoch == epoch && warnedEpoch != epoch) {
        warnedEpoch = epoch;
        LOG.warn(
            "portcullis election={} fence={} is bypassed: {} leads under epoch {}, but the fence is at"
                + " epoch {}. It protects only if every node has it: configure it on that node too",
            election,
            fence,
            leader,
            epoch,
            state.epoch());
      }
      suspectedEpoch = epoch;
    }
  }
}
