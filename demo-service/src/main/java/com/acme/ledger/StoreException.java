package com.acme.ledger;

/** The store failed. What was being stored may or may not be there. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreException(String message, Exception cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
