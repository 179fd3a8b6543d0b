package io.portcullis.benchmarks.failover;

/** Something that has nothing to do with what is measured went wrong; the message says what. */
public final class MeasurementException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MeasurementException(String message) {
    super(message);
  }
}
