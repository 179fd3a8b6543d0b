package io.portcullis.backend.quorum.sim;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A configured member: its disk, and its process while one runs. */
final class SimMember {
  private final int index;
  private final String name;
  private final SimDisk disk = new SimDisk();
  private final ArrayDeque<Runnable> queuedForNextProcess = new ArrayDeque<>();
  private @Nullable SimProcess process;
  private int processes;

  SimMember(int index, String name) {
    this.index = index;
    this.name = name;
  }

  int index() {
    return index;
  }

  String name() {
    return name;
  }

  SimDisk disk() {
    return disk;
  }

  @Nullable SimProcess process() {
    return process;
  }

  boolean isUp() {
    return process != null;
  }

  String nextIdentity() {
    processes++;
    return name + "#" + processes;
  }

  void setProcess(SimProcess next) {
    process = next;
  }

  void clearProcess() {
    process = null;
  }

  /** Messages to an ended process that the next process may receive. */
  ArrayDeque<Runnable> queuedForNextProcess() {
    return queuedForNextProcess;
  }

  @Override
  public String toString() {
    return name;
  }
}
