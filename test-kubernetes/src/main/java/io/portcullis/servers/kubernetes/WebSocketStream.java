package io.portcullis.servers.kubernetes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Sends events as text messages of a websocket (RFC 6455).
 *
 * @param key the client's key, which the server has to prove that it received
 */
record WebSocketStream(Http1Connection wire, String key) implements EventStream {
  private static final String PROOF = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int FINAL = 0x80;
  private static final int TEXT = 1;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int NORMAL_END = 1000;

  /** No client sends a watch anything longer than a ping. */
  private static final int MAX_MESSAGE_BYTES = 64 * 1024;

  @Override
  public void open() throws IOException {
    wire.send(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: "
            + accept()
            + "\r\n\r\n");
  }

  private String accept() {
    try {
      byte[] both = (key + PROOF).getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(both));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK supports it.
    }
  }

  @Override
  public void send(String event) throws IOException {
    frame(TEXT, event.getBytes(StandardCharsets.UTF_8));
  }

  private void frame(int kind, byte[] payload) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(FINAL | kind);
    if (payload.length < 126) {
      frame.write(payload.length);
    } else if (payload.length < 65_536) {
      frame.write(126);
      frame.write(ByteBuffer.allocate(2).putShort((short) payload.length).array());
    } else {
      frame.write(127);
      frame.write(ByteBuffer.allocate(8).putLong(payload.length).array());
    }
    frame.write(payload);
    wire.send(frame.toByteArray());
  }

  @Override
  public void readToEnd() throws IOException {
    for (int first = wire.next(); first >= 0; first = wire.next()) {
      byte[] payload = payload();
      switch (first & 0x0f) {
        case CLOSE -> {
          frame(CLOSE, payload);
          return;
        }
        case PING -> frame(PONG, payload);
        default -> {} // Nothing else requires a response.
      }
    }
  }

  private byte[] payload() throws IOException {
    int second = wire.next();
    int length = second & 0x7f;
    if (length == 126) {
      length = ByteBuffer.wrap(wire.bytes(2)).getShort() & 0xffff;
    } else if (length == 127) {
      length = (int) Math.min(Integer.MAX_VALUE, ByteBuffer.wrap(wire.bytes(8)).getLong());
    }
    if (length > MAX_MESSAGE_BYTES || second < 0) {
      throw new IOException("a message of " + length + " bytes to a watch");
    }
    byte[] mask = (second & FINAL) != 0 ? wire.bytes(4) : new byte[4];
    byte[] payload = wire.bytes(length);
    for (int i = 0; i < length; i++) {
      payload[i] ^= mask[i % 4];
    }
    return payload;
  }

  @Override
  public void finish() throws IOException {
    frame(CLOSE, ByteBuffer.allocate(2).putShort((short) NORMAL_END).array());
  }
}
