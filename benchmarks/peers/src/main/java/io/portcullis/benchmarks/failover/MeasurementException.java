package io.portcullis.benchmarks.failover;

/** Thrown when a measurement fails for an unrelated reason; the message states it. */
public final class MeasurementException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MeasurementException(String message) {
    super(message);
  }
}
