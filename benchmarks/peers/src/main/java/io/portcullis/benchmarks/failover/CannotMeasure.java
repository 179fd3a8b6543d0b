package io.portcullis.benchmarks.failover;

/** Something that has nothing to do with what is measured went wrong; the message says what. */
public final class CannotMeasure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CannotMeasure(String message) {
    super(message);
  }
}
