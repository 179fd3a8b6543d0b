package io.portcullis.election;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.StoreFeatures.PreferredNode;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the best priority request received from another node while it is fresh. A request that is
 * not repeated within a lease expires, since its node may be gone. Thread-safe.
 */
final class PriorityRequests {
  private final ElectionConfig config;
  private final long freshNanos;
  private final AtomicReference<@Nullable ReceivedRequest> best = new AtomicReference<>();

  private record ReceivedRequest(PriorityRequest request, long atNanos) {}

  PriorityRequests(ElectionConfig config) {
    this.config = config;
    this.freshNanos = config.timing().lease().toNanos();
  }

  /** Ignores requests unless their priority is strictly higher than this node's. */
  void receive(PriorityRequest request, long nowNanos) {
    if (request.priority() > config.priority() && !request.node().equals(config.identity())) {
      ReceivedRequest received = new ReceivedRequest(request, nowNanos);
      best.updateAndGet(known -> isBetter(received, known) ? received : known);
    }
  }

  private boolean isBetter(ReceivedRequest received, @Nullable ReceivedRequest known) {
    if (known == null || !isFresh(known, received.atNanos())) {
      return true;
    }
    PriorityRequest one = received.request();
    PriorityRequest other = known.request();
    if (one.epoch() != other.epoch()) {
      return one.epoch() > other.epoch();
    }
    return one.node().equals(other.node()) || one.priority() > other.priority();
  }

  private boolean isFresh(ReceivedRequest received, long nowNanos) {
    return nowNanos - received.atNanos() < freshNanos;
  }

  /** The node that asks to follow the tenure with {@code epoch}; null if none does. */
  @Nullable PreferredNode best(long epoch, long nowNanos) {
    ReceivedRequest received = best.get();
    return received != null && received.request().epoch() == epoch && isFresh(received, nowNanos)
        ? new PreferredNode(
            received.request().node(), received.atNanos() - received.request().readyFor().toNanos())
        : null;
  }
}
