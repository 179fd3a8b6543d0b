package io.portcullis.benchmarks.quorum;

/** Something that has nothing to do with what is measured went wrong; the message says what. */
final class MeasurementException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MeasurementException(String message) {
    super(message);
  }
}
