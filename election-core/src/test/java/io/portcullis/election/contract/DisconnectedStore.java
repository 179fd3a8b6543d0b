package io.portcullis.election.contract;

import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import io.portcullis.election.store.StoreFeatures.PriorityRequestChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
  public <T> @Nullable T feature(Class<T> type) {
    PriorityRequestChannel channel = store.feature(PriorityRequestChannel.class);
    return type == PriorityRequestChannel.class && channel != null
        ? type.cast(new SeverableChannel(channel))
        : store.feature(type);
  }

  @Override
  public void close() {
    if (!severed) {
      store.close();
    }
  }

  private final class SeverableChannel implements PriorityRequestChannel {
    private final PriorityRequestChannel channel;

    SeverableChannel(PriorityRequestChannel channel) {
      this.channel = channel;
    }

    @Override
    public void sendPriorityRequest(PriorityRequest request) {
      if (!severed) {
        channel.sendPriorityRequest(request);
      }
    }

    @Override
    public void onPriorityRequest(Consumer<PriorityRequest> listener) {
      channel.onPriorityRequest(listener);
    }
  }
}
