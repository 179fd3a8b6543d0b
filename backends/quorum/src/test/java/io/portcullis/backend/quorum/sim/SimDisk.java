package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.HardState;
import org.jspecify.annotations.Nullable;

/** The state of a member that survives a restart, unless the disk is lost. */
final class SimDisk {
  private @Nullable HardState ballot;
  private boolean full;
  private boolean readable = true;
  private int generation;

  @Nullable HardState ballot() {
    return ballot;
  }

  boolean hasBallot() {
    return ballot != null;
  }

  long term() {
    return ballot == null ? 0 : ballot.term();
  }

  /** Increases with every loss of the disk. */
  int generation() {
    return generation;
  }

  void write(HardState next) {
    ballot = next;
  }

  void lose() {
    ballot = null;
    generation++;
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
