package io.portcullis.gate;

/**
 * Records, for one election, under which epoch each thread entered the outermost gated call that it
 * is in. A thread that was paused while leadership was lost, and perhaps won again, still has the
 * epoch of its call, which a fence then refuses.
 *
 * <p>Per thread it keeps one small object of a bootstrap class for as long as the thread lives;
 * this object references nothing of the application.
 */
final class EpochPins {
  /** No call, or only calls that run although the gate is shut, because their rules observe. */
  static final long NONE = 0;

  private final ThreadLocal<Pin> pins = ThreadLocal.withInitial(Pin::new);

  private static final class Pin {
    private long epoch = NONE;
    private int depth;
  }

  /** Records that the thread enters a call; the first call admitted by a permit sets the epoch. */
  void enter(long epoch) {
    Pin pin = pins.get();
    if (pin.epoch == NONE) {
      pin.epoch = epoch;
    }
    pin.depth++;
  }

  /** Records that the thread leaves a call, normally or not. */
  void leave() {
    Pin pin = pins.get();
    if (pin.depth > 0 && --pin.depth == 0) {
      pin.epoch = NONE;
    }
  }

  /** The epoch of the calling thread's outermost call, {@link #NONE} if it is in none. */
  long epoch() {
    return pins.get().epoch;
  }
}
