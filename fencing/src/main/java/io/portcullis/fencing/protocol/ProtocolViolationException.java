package io.portcullis.fencing.protocol;

import java.io.IOException;

/** Thrown when a message violates the protocol or can't be parsed; the connection is closed. */
final class ProtocolViolationException extends IOException {
  private static final long serialVersionUID = 1;

  ProtocolViolationException(String what) {
    super("The fence closed the connection to the database: " + what);
  }
}
