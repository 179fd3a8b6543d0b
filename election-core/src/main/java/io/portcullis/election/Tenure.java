package io.portcullis.election;

/**
 * One uninterrupted period of leadership, passed to listeners when it begins. It becomes invalid at
 * the moment its lease ends: the clock decides, even if no thread runs. It never becomes valid
 * again; leading again is a new tenure.
 */
public final class Tenure {
  private final LocalGate gate;
  private final String identity;
  private final long epoch;
  private volatile boolean ended;

  Tenure(LocalGate gate, String identity, long epoch) {
    this.gate = gate;
    this.identity = identity;
    this.epoch = epoch;
  }

  /** The identity under which this node leads. */
  public String identity() {
    return identity;
  }

  /** The epoch as fencing token: send it with every write. */
  public long epoch() {
    return epoch;
  }

  /** True while this node leads without interruption since the tenure began. */
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
    return "tenure of " + identity + " under epoch " + epoch + (isValid() ? "" : ", over");
  }
}
