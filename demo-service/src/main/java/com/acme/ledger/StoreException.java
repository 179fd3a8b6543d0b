package com.acme.ledger;

/** Thrown if the store failed. The transfer may or may not have been stored. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreException(String message, Exception cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
