package io.portcullis.benchmarks.quorum;

/** Thrown when a measurement fails for an unrelated reason; the message states it. */
final class MeasurementException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MeasurementException(String message) {
    super(message);
  }
}
