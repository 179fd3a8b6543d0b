package io.portcullis.agent.http;

import io.portcullis.agent.http.HttpRequestParser.BadRequestException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Serves one client connection on its own thread. Every wait for the client has a deadline. The
 * {@link HttpServer} enforces it by closing the socket: that ends any read or write, also under
 * TLS.
 */
final class HttpConnection {
  private static final int BUFFER_BYTES = 2 * 1024;

  private final Socket socket;
  private final SocketWrapper wrapping;
  private final Function<HttpRequest, HttpResponse> handler;

  /** The current wait for client input or output; null while a response is computed. */
  private volatile @Nullable ClientWait wait;

  private record ClientWait(long sinceNanos, Duration atMost) {}

  /** Layer between the socket and HTTP: none, or TLS. */
  @FunctionalInterface
  interface SocketWrapper {
    /** May block on the client; closing the socket ends the wait. */
    Socket wrap(Socket socket) throws IOException;
  }

  HttpConnection(
      Socket socket, SocketWrapper wrapping, Function<HttpRequest, HttpResponse> handler) {
    this.socket = socket;
    this.wrapping = wrapping;
    this.handler = handler;
    waitFor(HttpLimits.MAX_REQUEST_TIME);
  }

  /** How long this connection has been waiting for its client; negative if it is not waiting. */
  long waitedNanos(long now) {
    ClientWait current = wait;
    return current == null ? -1 : now - current.sinceNanos();
  }

  boolean isOverdue(long now) {
    ClientWait current = wait;
    return current != null && now - current.sinceNanos() - current.atMost().toNanos() > 0;
  }

  /** Closes the socket; may be called from any thread. */
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // The connection is unusable either way.
    }
  }

  /** Serves until the client disconnects, the request limit is reached or the socket is closed. */
  void serve() throws IOException {
    Socket wrapped = wrapping.wrap(socket);
    InputStream in = new BufferedInputStream(wrapped.getInputStream(), BUFFER_BYTES);
    OutputStream out = wrapped.getOutputStream();
    HttpRequestParser reader = new HttpRequestParser(in, socket.getInetAddress().getHostAddress());
    for (int served = 1; served <= HttpLimits.MAX_REQUESTS_PER_CONNECTION; served++) {
      waitFor(HttpLimits.MAX_REQUEST_TIME);
      boolean last = served == HttpLimits.MAX_REQUESTS_PER_CONNECTION;
      byte[] response;
      try {
        HttpRequest request = reader.next();
        if (request == null) {
          return;
        }
        last |= request.last();
        wait = null;
        response = handler.apply(request).bytes(request.isHead(), last);
      } catch (BadRequestException e) {
        last = true;
        response = e.toResponse().bytes(false, true);
      }
      waitFor(HttpLimits.MAX_RESPONSE_TIME);
      out.write(response);
      out.flush();
      if (last) {
        lingeringClose(wrapped);
        return;
      }
    }
  }

  /** Closing with unread input sends a TCP reset, which can destroy the response in transit. */
  private void lingeringClose(Socket wrapped) throws IOException {
    waitFor(HttpLimits.MAX_LINGER_TIME);
    wrapped.shutdownOutput();
    InputStream rest = socket.getInputStream();
    byte[] dropped = new byte[BUFFER_BYTES];
    while (rest.read(dropped) >= 0) {
      // Read until the client closes or the deadline passes.
    }
  }

  private void waitFor(Duration atMost) {
    wait = new ClientWait(System.nanoTime(), atMost);
  }
}
