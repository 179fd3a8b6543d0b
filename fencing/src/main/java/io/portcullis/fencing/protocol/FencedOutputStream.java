package io.portcullis.fencing.protocol;

import java.io.IOException;
import java.io.OutputStream;

/** Where the driver writes to a line. */
final class FencedOutputStream extends OutputStream {
  private final FencedConnection wire;

  FencedOutputStream(FencedConnection wire) {
    this.wire = wire;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    wire.write(bytes, from, count);
  }

  @Override
  public void flush() throws IOException {
    wire.flush();
  }

  @Override
  public void close() throws IOException {
    wire.flush();
    wire.close();
  }
}
