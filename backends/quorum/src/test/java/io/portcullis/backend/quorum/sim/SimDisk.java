package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.HardState;
import org.jspecify.annotations.Nullable;

/** What a member keeps from one process to the next, unless it is lost. */
final class SimDisk {
  private @Nullable HardState ballot;
  private boolean full;
  private boolean readable = true;
  private int lives;

  @Nullable HardState ballot() {
    return ballot;
  }

  boolean keepsABallot() {
    return ballot != null;
  }

  long term() {
    return ballot == null ? 0 : ballot.term();
  }

  /** Tells what was said before the disk was lost from what was said after. */
  int lives() {
    return lives;
  }

  void write(HardState next) {
    ballot = next;
  }

  void lose() {
    ballot = null;
    lives++;
  }

  boolean isFull() {
    return full;
  }

  void setFull(boolean full) {
    this.full = full;
  }

  boolean isReadable() {
    return readable;
  }

  void setReadable(boolean readable) {
    this.readable = readable;
  }
}
