package io.portcullis.election;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.PreferredNode;
import io.portcullis.election.store.PriorityRequest;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What this node has heard of others that would rather lead: the best wish, for as long as it is
 * fresh. One that has not come again for a lease is gone, as its node may be. Any thread may tell
 * and ask.
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

  /** Only a strictly higher priority counts. */
  void receive(PriorityRequest wish, long nowNanos) {
    if (wish.priority() > config.priority() && !wish.node().equals(config.identity())) {
      ReceivedRequest heard = new ReceivedRequest(wish, nowNanos);
      best.updateAndGet(known -> isBetter(heard, known) ? heard : known);
    }
  }

  private boolean isBetter(ReceivedRequest heard, @Nullable ReceivedRequest known) {
    if (known == null || !isFresh(known, heard.atNanos())) {
      return true;
    }
    PriorityRequest one = heard.request();
    PriorityRequest other = known.request();
    if (one.epoch() != other.epoch()) {
      return one.epoch() > other.epoch();
    }
    return one.node().equals(other.node()) || one.priority() > other.priority();
  }

  private boolean isFresh(ReceivedRequest heard, long nowNanos) {
    return nowNanos - heard.atNanos() < freshNanos;
  }

  /** Who would follow the tenure under {@code epoch}; null if nobody is known to want it. */
  @Nullable PreferredNode best(long epoch, long nowNanos) {
    ReceivedRequest heard = best.get();
    return heard != null && heard.request().epoch() == epoch && isFresh(heard, nowNanos)
        ? new PreferredNode(
            heard.request().node(), heard.atNanos() - heard.request().readyFor().toNanos())
        : null;
  }
}
