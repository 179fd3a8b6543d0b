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

/** All fences of this node, in the order of the configuration: the first that covers counts. */
public final class NodeFences implements FencedDatabaseLookup {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** However many databases an application knows, the log ends. */
  private static final int MAX_WARNINGS = 100;

  private final List<NodeFence> fences = new ArrayList<>();
  private final Set<String> warnedDatabases = ConcurrentHashMap.newKeySet();

  /** Fences that know their gates; none stands before its election begins. */
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

  /** Whether there is none. */
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

  /** A pattern that covers too little should not be found out by a late write. */
  private void warnUnfenced(String place) {
    if (warnedDatabases.size() < MAX_WARNINGS && warnedDatabases.add(place)) {
      LOG.warn(
          "portcullis no fence covers the application's connections to {}: what is written there is"
              + " not compared; if it should be, have a fence's match cover it",
          place);
    }
  }

  /** The plan of an election whose store grants nothing before the election's fences stand. */
  public StorePlan withFences(String election, StorePlan plan) {
    List<NodeFence> own = fences.stream().filter(each -> each.isOf(election)).toList();
    return own.isEmpty() ? plan : new FencedStorePlan(plan, own);
  }

  /**
   * Reads their state, looks for leaders without a fence, and drops databases that have had no
   * connection for a while. Called regularly; returns at once.
   *
   * @param connections the number of open connections to a database
   */
  public void refresh(ToIntFunction<FencedDatabase> connections) {
    fences.forEach(fence -> fence.refresh(connections));
  }

  /**
   * How they stand at this moment.
   *
   * @param connections the number of open connections to a database
   */
  public List<FenceView> view(ToIntFunction<FencedDatabase> connections) {
    return fences.stream().flatMap(fence -> fence.view(connections).stream()).toList();
  }

  /** How each fence is used at this moment. */
  List<FenceUsage> uses(FencedConnections lines) {
    return fences.stream().map(fence -> fence.use(lines)).toList();
  }

  /**
   * A backend's plan whose store grants nothing before these fences stand.
   *
   * @param plan the backend's
   * @param fences those of its election
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

    /** A witness writes nothing. */
    @Override
    public @Nullable LeaseStore openWitness(ElectionConfig config) {
      return plan.openWitness(config);
    }
  }
}
