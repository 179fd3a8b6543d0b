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
 * One fence of the configuration on this node: the database that its url names, its home, and those
 * that connections of the application lead to besides.
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
   * Stands for all databases beyond {@link #MAX_DATABASES}, where everything that may write is
   * refused.
   */
  private final FenceTarget overLimit;

  private final UnfencedLeaderDetector unfenced;

  /** Completed when this node begins to take part in the election. */
  private final CompletableFuture<StartedElection> started = new CompletableFuture<>();

  private final FenceTarget home;
  private volatile @Nullable EpochFence homeFence;
  private volatile @Nullable String identity;

  /** What is known from then on. */
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

  /** Who writes here, null before that is settled. */
  @Nullable String identity() {
    return identity;
  }

  /** The place of a database that this {@link #covers}. */
  FenceTarget target(InetSocketAddress server, String database) {
    if (plan().isHome(server, database)) {
      return home;
    }
    String host = server.getHostString().toLowerCase(Locale.ROOT);
    String where = "jdbc:postgresql://" + host + ":" + server.getPort() + "/" + database;
    FenceTarget site;
    synchronized (targets) {
      FenceTarget known = targets.get(where);
      if (known != null) {
        known.used(ticker.getAsLong());
        return known;
      }
      if (targets.size() >= MAX_DATABASES) {
        return overLimit(where);
      }
      site = new FenceTarget(this, where, FenceTarget.Kind.JOINED);
      site.used(ticker.getAsLong());
      targets.put(where, site);
    }
    CompletionStage<StartedElection> once = started;
    once.thenAccept(
        now -> {
          EpochFence fence = plan().open(now.identity(), host, server.getPort(), database);
          site.begin(fence, now.store(), now.store().add(fence));
        });
    return site;
  }

  private FenceTarget overLimit(String where) {
    if (!overLimit.isUsed()) {
      LOG.warn(
          "portcullis fence={} covers connections to more than {} databases beside its own; what"
              + " may write is refused at {} and any other, until one of them has had no connection"
              + " for {} minutes. Narrow the fence's match",
          id(),
          MAX_DATABASES,
          where,
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
    home.refresh().thenAccept(mark -> unfenced.compare(mark, identity));
    for (FenceTarget site : joined()) {
      if (connections.applyAsInt(site) > 0) {
        site.used(ticker.getAsLong());
      }
      if (removeIfUnused(site)) {
        site.close();
      } else {
        site.refresh();
      }
    }
  }

  private List<FenceTarget> joined() {
    synchronized (targets) {
      return List.copyOf(targets.values());
    }
  }

  /** Atomic with {@link #target}, so that a site in use by a new connection is not removed. */
  private boolean removeIfUnused(FenceTarget site) {
    synchronized (targets) {
      return site.unusedNanos(ticker.getAsLong()) > MAX_UNUSED.toNanos()
          && targets.values().remove(site);
    }
  }

  List<FenceView> view(ToIntFunction<FencedDatabase> connections) {
    Stream<FenceTarget> most = Stream.concat(Stream.of(home), joined().stream());
    return Stream.concat(most, Stream.of(overLimit).filter(FenceTarget::isUsed))
        .map(site -> site.view(section.election(), connections.applyAsInt(site)))
        .toList();
  }

  FenceUsage use(FencedConnections lines) {
    int open = lines.connections(home);
    long opened = lines.opened(home);
    for (FenceTarget site : joined()) {
      open += lines.connections(site);
      opened += lines.opened(site);
    }
    return new FenceUsage(section.id(), section.election(), gate.openEpoch() > 0, open, opened);
  }

  /**
   * Notices a leader that passes a fence by: it leads under an epoch that it never installed, so
   * its process has no such fence, and nothing keeps its late writes out.
   */
  static final class UnfencedLeaderDetector {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    private final String fence;
    private final String election;
    private final ElectionGate gate;

    /** The epoch that was not installed when last looked; a leader needs a while to do so. */
    private long suspectedEpoch;

    private long warnedEpoch;

    UnfencedLeaderDetector(String fence, String election, ElectionGate gate) {
      this.fence = fence;
      this.election = election;
      this.gate = gate;
    }

    /** Compares who leads with what the fence stands at. One thread at a time. */
    synchronized void compare(FenceState mark, @Nullable String self) {
      String leader = gate.leader();
      long epoch = gate.epoch();
      if (leader == null || leader.equals(self) || mark.epoch() >= epoch) {
        suspectedEpoch = 0;
        return;
      }
      if (suspectedEpoch == epoch && warnedEpoch != epoch) {
        warnedEpoch = epoch;
        LOG.warn(
            "portcullis election={} fence={} is passed by: {} leads under epoch {} and the fence stands"
                + " at {}. It does not protect until every node has it: give that node this fence too",
            election,
            fence,
            leader,
            epoch,
            mark.epoch());
      }
      suspectedEpoch = epoch;
    }
  }
}
