package io.portcullis.fencing.protocol;

import java.io.IOException;

/** Something was said on the line that could not be followed, so the line is cut. */
final class ProtocolViolationException extends IOException {
  private static final long serialVersionUID = 1;

  ProtocolViolationException(String what) {
    super("The fence cut the line to the database: " + what);
  }
}
