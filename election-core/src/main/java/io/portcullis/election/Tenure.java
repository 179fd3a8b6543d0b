package io.portcullis.election;

/**
 * One unbroken time of leading, handed out when it begins. Turns invalid the moment its right ends,
 * by the clock if nobody gets to say so. Once that was noticed it is never valid again: leading
 * anew is a new tenure.
 */
public final class Tenure {
  private final LocalGate gate;
  private final long epoch;
  private volatile boolean ended;

  Tenure(LocalGate gate, long epoch) {
    this.gate = gate;
    this.epoch = epoch;
  }

  /** The fencing epoch, to be sent along with every write. */
  public long epoch() {
    return epoch;
  }

  /** True while this node still leads without a break. */
  public boolean isValid() {
    return !ended && gate.isOpenUnder(epoch);
  }

  /** Throws {@link NotLeadingException} unless {@link #isValid()}. */
  public void ensureValid() {
    if (!isValid()) {
      throw gate.refusal("tenure under epoch " + epoch + " is over");
    }
  }

  void end() {
    ended = true;
  }

  @Override
  public String toString() {
    return "tenure under epoch " + epoch + (isValid() ? "" : ", over");
  }
}
