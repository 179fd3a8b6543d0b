package io.portcullis.backend.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Collects the body of one answer, as long as it is no longer than any that can be meant. */
final class BoundedBody implements AsyncBody.Consumer<List<ByteBuffer>> {
  /** An API server takes no object above 3 MiB. */
  private static final int MAX_BYTES = 4 * 1024 * 1024;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Override
  public void consume(List<ByteBuffer> parts, AsyncBody body) throws IOException {
    for (ByteBuffer part : parts) {
      if (bytes.size() + part.remaining() > MAX_BYTES) {
        throw new IOException("an answer longer than " + MAX_BYTES + " bytes");
      }
      byte[] read = new byte[part.remaining()];
      part.get(read);
      bytes.writeBytes(read);
    }
    body.consume();
  }

  /** All of it, once it is complete. */
  String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
