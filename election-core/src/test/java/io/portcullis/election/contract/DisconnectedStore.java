package io.portcullis.election.contract;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.PriorityRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A store whose node can be cut off from it for good, as a crash does: nothing is released. */
public final class DisconnectedStore implements LeaseStore {
  private final LeaseStore store;
  private volatile boolean severed;

  /** Not cut off yet. */
  public DisconnectedStore(LeaseStore store) {
    this.store = store;
  }

  /** Cuts the node off. */
  public void sever() {
    severed = true;
    store.close();
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    return severed
        ? CompletableFuture.completedFuture(new LeaseResponse.Unknown("cut off"))
        : store.ask(request);
  }

  @Override
  public void onHint(Runnable wake) {
    store.onHint(wake);
  }

  @Override
  public void onRecordPushed(Consumer<LeaseRecord> told) {
    store.onRecordPushed(told);
  }

  @Override
  public void sendPriorityRequest(PriorityRequest wish) {
    if (!severed) {
      store.sendPriorityRequest(wish);
    }
  }

  @Override
  public void onPriorityRequest(Consumer<PriorityRequest> heard) {
    store.onPriorityRequest(heard);
  }

  @Override
  public String logSuffix() {
    return store.logSuffix();
  }

  @Override
  public void close() {
    if (!severed) {
      store.close();
    }
  }
}
