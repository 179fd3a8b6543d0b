package io.portcullis.backend.quorum.network;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection that carries bytes and never waits. */
sealed interface ByteTransport permits PlainTransport, TlsTransport {

  /** Reads what is there: how many bytes, 0 if none are there now, -1 if there will be none. */
  int read(ByteBuffer into) throws IOException;

  /** Writes as much as goes now, and what the wire itself has to say. */
  void write(ByteBuffer from) throws IOException;

  /** Whether bytes of ours can go over it already. */
  boolean isReady();

  /** Whether it waits for the system to take more bytes, some of ours being left or not. */
  boolean awaitsRoom(boolean left);

  /** Tells the other side that nothing more will come. */
  void shutOutput() throws IOException;
}
