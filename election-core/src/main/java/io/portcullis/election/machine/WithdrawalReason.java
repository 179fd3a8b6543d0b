package io.portcullis.election.machine;

/**
 * Why a node does not campaign. Several may hold at once; it returns when none is left. An operator
 * or the node's own health uses DRAINED, INELIGIBLE and NOT_READY; a witness is one from start to
 * end; the others come from orders of their own.
 */
public enum WithdrawalReason {
  /** Asked to step down: out until another leads, or for two leases. */
  STEPPED_DOWN("stepped down"),
  /** Drained by an operator, until resumed. */
  DRAINED("drained"),
  /** Its own health forbids it to lead. */
  INELIGIBLE("not eligible"),
  /** Its gate can't be relied on: for good. */
  UNSAFE("its gate can't be relied on"),
  /** It has not been allowed to campaign yet. */
  NOT_READY("not ready to campaign"),
  /** It only votes, so that others can be elected. */
  WITNESS("a witness"),
  /** It is shutting down for good. */
  STOPPED("stopped");

  private final String sentence;

  WithdrawalReason(String sentence) {
    this.sentence = sentence;
  }

  /** In words. */
  public String sentence() {
    return sentence;
  }
}
