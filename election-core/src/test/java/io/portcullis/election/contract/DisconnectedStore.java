package io.portcullis.election.contract;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.PriorityRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A store whose node can be disconnected permanently, like by a crash: nothing is released. */
public final class DisconnectedStore implements LeaseStore {
  private final LeaseStore store;
  private volatile boolean severed;

  /** Creates a connected store. */
  public DisconnectedStore(LeaseStore store) {
    this.store = store;
  }

  /** Disconnects the node. */
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
  public void onRecordPushed(Consumer<LeaseRecord> listener) {
    store.onRecordPushed(listener);
  }

  @Override
  public void sendPriorityRequest(PriorityRequest request) {
    if (!severed) {
      store.sendPriorityRequest(request);
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
