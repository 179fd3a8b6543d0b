package io.portcullis.servers.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sends events as the chunks of an endless response, one line each. */
record ChunkedStream(Http1Connection wire) implements EventStream {
  @Override
  public void open() throws IOException {
    wire.send(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  }

  @Override
  public void send(String event) throws IOException {
    int length = event.getBytes(StandardCharsets.UTF_8).length + 1;
    wire.send(Integer.toHexString(length) + "\r\n" + event + "\n\r\n");
  }

  @Override
  public void readToEnd() throws IOException {
    int ignored = wire.next(); // A client sends nothing here.
    while (ignored >= 0) {
      ignored = wire.next();
    }
  }

  @Override
  public void finish() throws IOException {
    wire.send("0\r\n\r\n");
  }
}
