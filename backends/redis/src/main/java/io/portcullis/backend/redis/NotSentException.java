package io.portcullis.backend.redis;

import java.io.IOException;

/** The connection was found to be over before the command was sent. */
final class NotSentException extends IOException {
  private static final long serialVersionUID = 1;

  NotSentException() {
    super("the server has closed the connection");
  }
}
