package io.portcullis.fencing.wire;

import java.io.IOException;

/** Something was said on the line that could not be followed, so the line is cut. */
final class Surprise extends IOException {
  private static final long serialVersionUID = 1;

  Surprise(String what) {
    super("The fence cut the line to the database: " + what);
  }
}
