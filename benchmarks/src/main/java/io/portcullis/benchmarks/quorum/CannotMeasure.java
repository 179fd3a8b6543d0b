package io.portcullis.benchmarks.quorum;

/** Something that has nothing to do with what is measured went wrong; the message says what. */
final class CannotMeasure extends RuntimeException {
  private static final long serialVersionUID = 1;

  CannotMeasure(String message) {
    super(message);
  }
}
