package io.portcullis.servers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The client side of a watch over a WebSocket. */
final class WebSocketWatchClient implements WebSocket.Listener {
  final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();
  final CompletableFuture<Integer> end = new CompletableFuture<>();
  private final CompletableFuture<WebSocket> opened = new CompletableFuture<>();
  private final CompletableFuture<ByteBuffer> pong = new CompletableFuture<>();
  private final StringBuilder text = new StringBuilder();

  WebSocket socket() {
    return opened.join();
  }

  JsonNode next() throws IOException, InterruptedException {
    JsonNode event = events.poll(120, TimeUnit.SECONDS);
    if (event == null) {
      throw new IOException("no event came");
    }
    return event;
  }

  void awaitEnd() throws Exception {
    assertThat(end.get(120, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
  }

  /** All events sent before the pong have then arrived. */
  void awaitPong() throws Exception {
    socket().sendPing(ByteBuffer.wrap(new byte[] {7})).get(120, TimeUnit.SECONDS);
    assertThat(pong.get(120, TimeUnit.SECONDS).get(0)).isEqualTo((byte) 7);
  }

  @Override
  public void onOpen(WebSocket socket) {
    opened.complete(socket);
    socket.request(Long.MAX_VALUE);
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
    text.append(data);
    if (last) {
      events.add(Json.tree(text.toString()));
      text.setLength(0);
    }
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
    pong.complete(message);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
    end.complete(code);
    return null;
  }

  @Override
  public void onError(WebSocket socket, Throwable error) {
    end.completeExceptionally(error);
  }
}
