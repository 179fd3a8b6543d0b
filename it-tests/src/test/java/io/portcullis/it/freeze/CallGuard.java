package io.portcullis.it.freeze;

/** What stands before the hammered call. */
interface CallGuard {
  void open(long epoch, long deadlineNanos);

  /** True if the call may go on; then {@link #exit} follows. */
  boolean enter();

  void exit();

  static CallGuard named(String name) {
    return switch (name) {
      case GateGuard.NAME -> new GateGuard();
      case TimerFlagGuard.NAME -> new TimerFlagGuard();
      default -> throw new IllegalArgumentException("No guard is called " + name);
    };
  }
}
