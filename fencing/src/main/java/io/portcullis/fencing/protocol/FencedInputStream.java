package io.portcullis.fencing.protocol;

import java.io.IOException;
import java.io.InputStream;

/** What the driver reads of a line. */
final class FencedInputStream extends InputStream {
  private final FencedConnection wire;

  FencedInputStream(FencedConnection wire) {
    this.wire = wire;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return wire.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    return count == 0 ? 0 : wire.read(target, offset, count);
  }

  @Override
  public int available() throws IOException {
    return wire.available();
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
