package io.portcullis.rules.action;

/** An action can't be carried out in a method. The message says why, and names a remedy. */
public final class CannotGateException extends Exception {
  private static final long serialVersionUID = 1;

  public CannotGateException(String message) {
    super(message);
  }
}
