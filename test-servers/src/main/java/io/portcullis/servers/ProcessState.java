package io.portcullis.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** State of a process on Linux, beyond what Java reports; a best guess on other systems. */
final class ProcessState {
  private static final Path PROC = Path.of("/proc");
  private static final boolean HAS_PROC = Files.exists(PROC.resolve("self").resolve("stat"));

  private ProcessState() {}

  /** True once the process is stopped; a signal that was sent may not have been delivered yet. */
  static boolean isStopped(ProcessHandle process) {
    return !HAS_PROC || isGone(process) || state(process) == 'T';
  }

  /**
   * True once the process has released its memory, even if its exit status was not collected.
   * Before that it may have neither a command nor a way to continue, and still hold a shared
   * segment.
   */
  static boolean isGone(ProcessHandle process) {
    if (!process.isAlive()) {
      return true;
    }
    return HAS_PROC
        ? "ZX ".indexOf(state(process)) >= 0
        : process.info().command().isEmpty(); // A zombie.
  }

  /** The first letter after the command's name, which ends with the last bracket; or a space. */
  private static char state(ProcessHandle process) {
    try {
      String stat = Files.readString(PROC.resolve(Long.toString(process.pid())).resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return ' '; // The process has ended.
    }
  }
}
