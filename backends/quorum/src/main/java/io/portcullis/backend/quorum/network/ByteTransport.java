package io.portcullis.backend.quorum.network;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A non-blocking byte channel to another node. */
sealed interface ByteTransport permits ByteTransport.PlainTransport, TlsTransport {

  /** Reads available bytes; returns their number, 0 if there are none now, -1 at the end. */
  int read(ByteBuffer into) throws IOException;

  /** Writes as much as the system accepts now, and the transport's own handshake data. */
  void write(ByteBuffer from) throws IOException;

  /** Whether application bytes can be sent yet. */
  boolean isReady();

  /**
   * Whether it has to wait until the system accepts more bytes.
   *
   * @param left whether application bytes remain to be written
   */
  boolean awaitsRoom(boolean left);

  /** Signals to the other side that no more bytes follow. */
  void shutOutput() throws IOException;

  /** Transport without encryption. */
  record PlainTransport(SocketChannel channel) implements ByteTransport {

    @Override
    public int read(ByteBuffer into) throws IOException {
      return channel.read(into);
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
      channel.write(from);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public boolean awaitsRoom(boolean left) {
      return left;
    }

    @Override
    public void shutOutput() throws IOException {
      channel.shutdownOutput();
    }
  }
}
