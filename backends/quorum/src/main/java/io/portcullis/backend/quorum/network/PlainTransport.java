package io.portcullis.backend.quorum.network;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

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
