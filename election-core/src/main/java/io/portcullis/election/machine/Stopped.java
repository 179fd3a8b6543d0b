package io.portcullis.election.machine;

import io.portcullis.election.store.Answer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Takes part no more; nothing changes that.
 *
 * @param memory what was seen
 */
public record Stopped(Memory memory) implements Role {

  @Override
  public Step passTime(Moment now) {
    return Step.to(this);
  }

  @Override
  public Step onAnswer(Pending asked, Answer answer, Moment now) {
    return Step.to(this);
  }

  @Override
  public Step onHint(Moment now) {
    return Step.to(this);
  }

  @Override
  public Step onCommand(Command command, Moment now) {
    return Step.to(this);
  }

  @Override
  public @Nullable Pending pending() {
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
