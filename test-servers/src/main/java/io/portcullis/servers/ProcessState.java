package io.portcullis.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux tells of a process beyond what Java does; elsewhere the best guess. */
final class ProcessState {
  private static final Path PROC = Path.of("/proc");
  private static final boolean HAS_PROC = Files.exists(PROC.resolve("self").resolve("stat"));

  private ProcessState() {}

  /** True once it stands still; a signal that was sent may not have arrived yet. */
  static boolean isStopped(ProcessHandle process) {
    return !HAS_PROC || isGone(process) || state(process) == 'T';
  }

  /**
   * True once it has let go of its memory, also if nobody has asked after it since. Before that it
   * may have neither a command nor a way back, and still hold a segment that others share.
   */
  static boolean isGone(ProcessHandle process) {
    if (!process.isAlive()) {
      return true;
    }
    return HAS_PROC
        ? "ZX ".indexOf(state(process)) >= 0
        : process.info().command().isEmpty(); // A dead one that nobody has asked after.
  }

  /** The first letter after the command's name, which ends with the last bracket; or a space. */
  private static char state(ProcessHandle process) {
    try {
      String stat = Files.readString(PROC.resolve(Long.toString(process.pid())).resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return ' '; // It is gone.
    }
  }
}
