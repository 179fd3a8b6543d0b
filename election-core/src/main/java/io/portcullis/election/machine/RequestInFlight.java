package io.portcullis.election.machine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.machine.StepContext.ClockReading;
import io.portcullis.election.store.LeaseRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request in flight. It keeps the two ends of a request apart (invariant 8): a right that this
 * node earns counts from {@code sentAt}, read before the request was sent; what its response shows
 * about others counts from the step that receives it.
 *
 * @param sequence matches the response to this request, not to abandoned ones
 * @param request the request itself
 * @param sentAt the clocks before it was sent
 * @param overdueAtNanos from then on it counts as unanswered
 */
public record RequestInFlight(
    long sequence, LeaseRequest request, ClockReading sentAt, long overdueAtNanos) {

  static RequestInFlight of(Memory memory, LeaseRequest request, StepContext now, Timing timing) {
    return new RequestInFlight(
        memory.requests(), request, now.clocks(), now.plus(timing.askTimeout().toNanos()));
  }

  /** Creates a renewal of the lease under {@code epoch}. */
  static RequestInFlight renewal(
      ElectionConfig config, Memory memory, long epoch, StepContext now) {
    Timing timing = config.timing();
    LeaseRequest request =
        new LeaseRequest.Renew(config.identity(), epoch, timing.lease(), config.address());
    return of(memory, request, now, timing);
  }

  /** Creates a release of the lease under {@code epoch}, at the known incarnation of the store. */
  static RequestInFlight release(
      ElectionConfig config, Memory memory, long epoch, StepContext now) {
    return release(config, memory, epoch, null, now);
  }

  /** Creates a release with a preferred successor. */
  static RequestInFlight release(
      ElectionConfig config,
      Memory memory,
      long epoch,
      @Nullable String successor,
      StepContext now) {
    LeaseRequest request =
        new LeaseRequest.Release(config.identity(), epoch, memory.incarnation(), successor);
    return of(memory, request, now, config.timing());
  }

  Effect effect() {
    return new Effect.Ask(sequence, request);
  }
}
