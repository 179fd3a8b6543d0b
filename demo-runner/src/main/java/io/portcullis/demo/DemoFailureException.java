package io.portcullis.demo;

/** Thrown if the demo can't continue for a reason unrelated to the checked guarantees. */
final class DemoFailureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoFailureException(String message) {
    super(message);
  }
}
