package io.portcullis.demo;

/** The show can't go on, for a reason that says nothing about what it wants to show. */
final class CannotRun extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CannotRun(String message) {
    super(message);
  }
}
