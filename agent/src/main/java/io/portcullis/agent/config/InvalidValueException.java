package io.portcullis.agent.config;

/** A value is not of the kind that is asked for. The message says what would be right. */
final class InvalidValueException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidValueException(String whatWouldBeRight) {
    super(whatWouldBeRight);
  }

  String why() {
    return String.valueOf(getMessage());
  }
}
