package io.portcullis.backend.quorum.network;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Closes what is gone either way. */
final class QuietClose {
  private QuietClose() {}

  /** Closes it and gives the failure, if any, which most callers can do nothing about. */
  static @Nullable IOException quietly(Closeable open) {
    try {
      open.close();
      return null;
    } catch (IOException e) {
      return e;
    }
  }
}
