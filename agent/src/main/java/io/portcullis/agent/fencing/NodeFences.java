package io.portcullis.agent.fencing;

import io.portcullis.agent.config.FenceSection;
import io.portcullis.agent.fencing.CoverageMonitor.FenceUsage;
import io.portcullis.agent.node.FenceView;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.FencedStore;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.FencedDatabase.FencedDatabaseLookup;
import io.portcullis.fencing.protocol.FencedConnections;
import io.portcullis.gate.ElectionGate;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds all fences of this node, in the order of the configuration. The first fence that covers a
 * database applies to it.
 */
public final class NodeFences implements FencedDatabaseLookup {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** Bounds the log, however many databases an application connects to. */
  private static final int MAX_WARNINGS = 100;

  private final List<NodeFence> fences = new ArrayList<>();
  private final Set<String> warnedDatabases = ConcurrentHashMap.newKeySet();

  /** Creates the fences with their gates. None is installed before its election starts. */
  public NodeFences(List<FenceSection> sections, Function<String, ElectionGate> gates) {
    this(sections, gates, System::nanoTime);
  }

  NodeFences(
      List<FenceSection> sections, Function<String, ElectionGate> gates, LongSupplier ticker) {
    for (FenceSection section : sections) {
      ElectionGate gate = Objects.requireNonNull(gates.apply(section.election()));
      gate.pinCalls();
      fences.add(new NodeFence(section, gate, ticker));
    }
  }

  public boolean isEmpty() {
    return fences.isEmpty();
  }

  @Override
  public @Nullable FencedDatabase find(InetSocketAddress server, String database) {
    for (NodeFence fence : fences) {
      if (fence.covers(server, database)) {
        return fence.target(server, database);
      }
    }
    warnUnfenced(server.getHostString() + ":" + server.getPort() + "/" + database);
    return null;
  }

  /** Reports a match pattern that covers too little before a late write does damage. */
  private void warnUnfenced(String database) {
    if (warnedDatabases.size() < MAX_WARNINGS && warnedDatabases.add(database)) {
      LOG.warn(
          "portcullis no fence covers the application's connections to {}: writes there are not"
              + " checked; if they should be, extend a fence's match to cover it",
          database);
    }
  }

  /** Wraps a plan so that its store grants nothing before the election's fences are installed. */
  public StorePlan withFences(String election, StorePlan plan) {
    List<NodeFence> own = fences.stream().filter(each -> each.isOf(election)).toList();
    return own.isEmpty() ? plan : new FencedStorePlan(plan, own);
  }

  /**
   * Reads the state of all fences, detects leaders that bypass a fence, and drops databases that
   * have had no connection for {@link NodeFence#MAX_UNUSED}. Must be called regularly; does not
   * block.
   *
   * @param connections returns the number of open connections to a database
   */
  public void refresh(ToIntFunction<FencedDatabase> connections) {
    fences.forEach(fence -> fence.refresh(connections));
  }

  /**
   * The last known state of each fenced database.
   *
   * @param connections returns the number of open connections to a database
   */
  public List<FenceView> view(ToIntFunction<FencedDatabase> connections) {
    return fences.stream().flatMap(fence -> fence.view(connections).stream()).toList();
  }

  /** The current usage of each fence. */
  List<FenceUsage> uses(FencedConnections connections) {
    return fences.stream().map(fence -> fence.use(connections)).toList();
  }

  /**
   * Wraps a backend's plan. Its store grants nothing before the fences are installed.
   *
   * @param plan of the backend
   * @param fences of the election
   */
  record FencedStorePlan(StorePlan plan, List<NodeFence> fences) implements StorePlan {

    @Override
    public Timing timing() {
      return plan.timing();
    }

    @Override
    public String storeKey() {
      return plan.storeKey();
    }

    @Override
    public String describe() {
      return plan.describe();
    }

    @Override
    public List<String> warnings() {
      return plan.warnings();
    }

    @Override
    public List<String> notes() {
      return plan.notes();
    }

    @Override
    public boolean isOutsideNodes() {
      return plan.isOutsideNodes();
    }

    @Override
    public boolean carriesPriorityRequestOf(int priority) {
      return plan.carriesPriorityRequestOf(priority);
    }

    @Override
    public LeaseStore open(ElectionConfig config) {
      List<EpochFence> homes =
          fences.stream().map(each -> each.openHome(config.identity())).toList();
      FencedStore fenced =
          new FencedStore(plan.open(config), homes, config.identity(), timing().renew());
      fences.forEach(each -> each.begin(fenced));
      return fenced;
    }

    /** Without fences: a witness writes nothing. */
    @Override
    public @Nullable LeaseStore openWitness(ElectionConfig config) {
      return plan.openWitness(config);
    }
  }
}
