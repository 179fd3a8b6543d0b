package io.portcullis.fencing.wire;

import java.io.IOException;

/** The way to the server, as whoever speaks on it needs it. */
interface Line {
  /** Sends bytes, perhaps not before more follow. */
  void send(byte[] bytes, int from, int count) throws IOException;

  /** Sends all that is left. */
  void flush() throws IOException;

  /** Sends all that is left, and takes the server's replies until this exchange is over. */
  void await(Exchange exchange) throws IOException;
}
