package io.portcullis.election.fence;

import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store that records its requests and may lose its responses. */
final class RecordingStore implements LeaseStore {
  private final LeaseStore store;
  private final List<LeaseRequest> asked = new ArrayList<>();
  private volatile UnaryOperator<LeaseResponse> replies = UnaryOperator.identity();
  private boolean closed;

  RecordingStore(LeaseStore store) {
    this.store = store;
  }

  synchronized List<LeaseRequest> asked() {
    return List.copyOf(asked);
  }

  /** The requests of one kind, in order. */
  <T extends LeaseRequest> List<T> asked(Class<T> kind) {
    return asked().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Sets what happens to responses from now on. */
  void reply(UnaryOperator<LeaseResponse> change) {
    replies = change;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    synchronized (this) {
      asked.add(request);
    }
    return store.ask(request).thenApply(answer -> replies.apply(answer));
  }

  @Override
  public <T> @Nullable T feature(Class<T> type) {
    return store.feature(type);
  }

  @Override
  public synchronized void close() {
    closed = true;
    store.close();
  }
}
