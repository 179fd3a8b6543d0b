package io.portcullis.fencing.protocol;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Sends messages to the server and waits for its replies. */
interface ServerChannel {
  /** Sends bytes; may buffer them until {@link #flush}. */
  void send(byte[] bytes, int from, int count) throws IOException;

  /** Sends all buffered bytes. */
  void flush() throws IOException;

  /** Sends all buffered bytes, and processes the server's replies until the condition holds. */
  void await(BooleanSupplier done) throws IOException;
}
