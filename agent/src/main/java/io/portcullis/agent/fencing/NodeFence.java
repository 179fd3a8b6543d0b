package io.portcullis.agent.fencing;

import io.portcullis.agent.config.FenceSection;
import io.portcullis.agent.node.FenceView;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.FencePlan;
import io.portcullis.election.fence.FencedStore;
import io.portcullis.fencing.FencedSite;
import io.portcullis.gate.ElectionGate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One fence of the configuration on this node: the database that its url names, its home, and those
 * that connections of the application lead to besides.
 */
final class NodeFence {
  private final FenceSection section;
  private final ElectionGate gate;
  private final Map<String, Site> sites = new ConcurrentHashMap<>();
  private final UnfencedLeader unfenced;

  /** Completed when this node begins to take part in the election. */
  private final CompletableFuture<Begun> begun = new CompletableFuture<>();

  private final Site home;
  private volatile @Nullable EpochFence homeFence;
  private volatile @Nullable String identity;

  /** What is known from then on. */
  record Begun(FencedStore store, String identity) {}

  NodeFence(FenceSection section, ElectionGate gate) {
    this.section = section;
    this.gate = gate;
    this.unfenced = new UnfencedLeader(section.id(), section.election(), gate);
    this.home = new Site(this, section.plan().database());
  }

  boolean covers(String host, int port, String database) {
    return plan().covers(host, port, database);
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

  Site site(String host, int port, String database) {
    if (plan().isHome(host, port, database)) {
      return home;
    }
    String where = "jdbc:postgresql://" + host + ":" + port + "/" + database;
    return sites.computeIfAbsent(where, key -> open(key, host, port, database));
  }

  private Site open(String where, String host, int port, String database) {
    Site site = new Site(this, where);
    CompletionStage<Begun> once = begun;
    once.thenAccept(
        now -> {
          EpochFence fence = plan().open(now.identity(), host, port, database);
          site.begin(fence, now.store(), now.store().add(fence));
        });
    return site;
  }

  EpochFence openHome(String node) {
    EpochFence opened = plan().open(node);
    identity = node;
    homeFence = opened;
    return opened;
  }

  void begin(FencedStore store) {
    home.begin(Objects.requireNonNull(homeFence), store, CompletableFuture.completedFuture(null));
    begun.complete(new Begun(store, Objects.requireNonNull(identity)));
  }

  void lookOut() {
    home.lookOut().thenAccept(mark -> unfenced.compare(mark, identity));
    sites.values().forEach(Site::lookOut);
  }

  List<FenceView> view(ToIntFunction<FencedSite> connections) {
    return Stream.concat(Stream.of(home), sites.values().stream())
        .map(site -> site.view(section.election(), connections.applyAsInt(site)))
        .toList();
  }
}
