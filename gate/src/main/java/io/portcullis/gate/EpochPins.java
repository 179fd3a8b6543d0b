package io.portcullis.gate;

/**
 * Under which epoch each thread entered the outermost gated call that it is in, for one election. A
 * thread that slept through the loss of its leadership, and perhaps through winning it again, still
 * has the epoch of its call, which a fence then refuses.
 *
 * <p>What is kept for a thread is one small object of the bootstrap loader's, for as long as the
 * thread lives; it holds on to nothing of the application's.
 */
final class EpochPins {
  /** No call, or only calls that run although the gate is shut, because their rules observe. */
  static final long NONE = 0;

  private final ThreadLocal<Pin> pins = ThreadLocal.withInitial(Pin::new);

  private static final class Pin {
    private long epoch = NONE;
    private int depth;
  }

  /** The thread enters a call; the first one that was let in by a permit decides. */
  void enter(long epoch) {
    Pin pin = pins.get();
    if (pin.epoch == NONE) {
      pin.epoch = epoch;
    }
    pin.depth++;
  }

  /** The thread leaves a call, normally or not. */
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
