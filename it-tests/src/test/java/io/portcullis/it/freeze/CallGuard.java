package io.portcullis.it.freeze;

/** The check before the measured call. */
interface CallGuard {
  void open(long epoch, long deadlineNanos);

  /** True if the call may proceed; then {@link #exit} must follow. */
  boolean enter();

  void exit();

  static CallGuard named(String name) {
    return switch (name) {
      case GateGuard.NAME -> new GateGuard();
      case TimerFlagGuard.NAME -> new TimerFlagGuard();
      default -> throw new IllegalArgumentException("unknown guard: " + name);
    };
  }
}
