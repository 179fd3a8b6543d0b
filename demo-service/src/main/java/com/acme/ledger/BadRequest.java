package com.acme.ledger;

/** The client asked for something that can't be; the message says what would be right. */
final class BadRequest extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  BadRequest(String message) {
    this(400, message);
  }

  BadRequest(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
