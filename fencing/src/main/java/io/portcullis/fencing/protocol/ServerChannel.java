package io.portcullis.fencing.protocol;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** The way to the server, as whoever speaks on it needs it. */
interface ServerChannel {
  /** Sends bytes, perhaps not before more follow. */
  void send(byte[] bytes, int from, int count) throws IOException;

  /** Sends all that is left. */
  void flush() throws IOException;

  /** Sends all that is left, and takes the server's replies until this holds. */
  void await(BooleanSupplier done) throws IOException;
}
