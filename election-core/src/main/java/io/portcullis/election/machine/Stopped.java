package io.portcullis.election.machine;

import io.portcullis.election.store.LeaseResponse;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Role of a node that has stopped. Final.
 *
 * @param memory what was seen
 */
public record Stopped(Memory memory) implements Role {

  @Override
  public Step passTime(StepContext now) {
    return Step.to(this);
  }

  @Override
  public Step onAnswer(RequestInFlight asked, LeaseResponse response, StepContext now) {
    return Step.to(this);
  }

  @Override
  public Step onHint(StepContext now) {
    return Step.to(this);
  }

  @Override
  public Step onCommand(Command command, StepContext now) {
    return Step.to(this);
  }

  @Override
  public @Nullable RequestInFlight pending() {
    return null;
  }

  @Override
  public OptionalLong wakeAtNanos() {
    return OptionalLong.empty();
  }

  @Override
  public RoleName name() {
    return RoleName.OFF;
  }
}
