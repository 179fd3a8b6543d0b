package io.portcullis.election.machine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.machine.StepContext.ClockReading;
import io.portcullis.election.store.LeaseRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request under way, and the place where its two ends are kept apart (invariant 8): what it earns
 * this node counts from {@code sentAt}, read before the request left; what its answer shows of
 * others counts from the moment of the step that receives it.
 *
 * @param sequence tells this request's answer from those of requests long given up
 * @param request what was asked
 * @param sentAt the clocks before it left
 * @param overdueAtNanos from here on it counts as unanswered
 */
public record RequestInFlight(
    long sequence, LeaseRequest request, ClockReading sentAt, long overdueAtNanos) {

  static RequestInFlight of(Memory memory, LeaseRequest request, StepContext now, Timing timing) {
    return new RequestInFlight(
        memory.requests(), request, now.clocks(), now.plus(timing.askTimeout().toNanos()));
  }

  /** A renewal of the lease under {@code epoch}. */
  static RequestInFlight renewal(
      ElectionConfig config, Memory memory, long epoch, StepContext now) {
    Timing timing = config.timing();
    LeaseRequest request =
        new LeaseRequest.Renew(config.identity(), epoch, timing.lease(), config.address());
    return of(memory, request, now, timing);
  }

  /** A release of the lease under {@code epoch}, in the life of the store that is known. */
  static RequestInFlight release(
      ElectionConfig config, Memory memory, long epoch, StepContext now) {
    return release(config, memory, epoch, null, now);
  }

  /** The same, with a wish who should follow. */
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
