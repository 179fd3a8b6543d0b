package com.acme.ledger;

/** The client asked for something that can't be; the message says what would be right. */
final class BadRequestException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  BadRequestException(String message) {
    this(400, message);
  }

  BadRequestException(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
