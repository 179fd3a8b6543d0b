package io.portcullis.fencing.protocol;

/** A text of ours that is sent by itself, and how the server answered it. */
final class OwnQuery {
  private final boolean letsGo;
  private boolean over;
  private boolean refused;
  private boolean empty;

  private OwnQuery(boolean letsGo) {
    this.letsGo = letsGo;
  }

  /** One before a message of the driver's, who is given the failure if there is one. */
  static OwnQuery before() {
    return new OwnQuery(false);
  }

  /** The one that lets go of the fence after a message of the driver's, who waits for it. */
  static OwnQuery after() {
    return new OwnQuery(true);
  }

  boolean letsGo() {
    return letsGo;
  }

  boolean isOver() {
    return over;
  }

  /** The server answered by an error, which was handed on together with its being ready. */
  boolean isRefused() {
    return refused;
  }

  /** The server answered without a row. */
  boolean isEmpty() {
    return empty;
  }

  void refuse() {
    refused = true;
  }

  void empty() {
    empty = true;
  }

  void end() {
    over = true;
  }

  /**
   * Marks a query before whose text another was put, so that its first result is not the driver's.
   */
  enum QueryPrefix {
    CHECK
  }
}
