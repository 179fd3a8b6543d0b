package io.portcullis.servers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A signal that the kill command sends to processes on this machine. */
enum Signal {
  STOP,
  CONT,
  INT;

  /** Sends the signal to one process, which must exist. */
  void sendTo(long pid) {
    if (!trySendTo(List.of(pid))) {
      throw new IllegalStateException("kill -" + this + " " + pid + " failed");
    }
  }

  /** Sends the signal to all processes; returns whether all of them existed. */
  boolean trySendTo(List<Long> pids) {
    if (pids.isEmpty()) {
      return true;
    }
    List<String> command = new ArrayList<>(List.of("kill", "-" + this));
    pids.forEach(pid -> command.add(Long.toString(pid)));
    try {
      return new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new IllegalStateException("this machine has no kill command", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
