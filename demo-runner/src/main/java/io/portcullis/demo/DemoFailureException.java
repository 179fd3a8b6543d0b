package io.portcullis.demo;

/** The show can't go on, for a reason that says nothing about what it wants to show. */
final class DemoFailureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoFailureException(String message) {
    super(message);
  }
}
