package io.portcullis.agent.fencing;

import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.FencedStore;
import io.portcullis.election.store.LeaseStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
  public boolean carriesWishOf(int priority) {
    return plan.carriesWishOf(priority);
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    List<EpochFence> homes = fences.stream().map(each -> each.openHome(config.identity())).toList();
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
