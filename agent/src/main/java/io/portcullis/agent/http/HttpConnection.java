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
 * One client's connection, served by a thread of its own. Everything the client may keep waiting
 * has a deadline, which the {@link HttpServer} enforces by closing the socket: that ends any read
 * or write, whatever layers lie between.
 */
final class HttpConnection {
  private static final int BUFFER_BYTES = 2 * 1024;

  private final Socket socket;
  private final SocketWrapper wrapping;
  private final Function<HttpRequest, HttpResponse> handler;

  /** When the client began to keep us waiting; null while it waits for us. */
  private volatile @Nullable ClientWait wait;

  private record ClientWait(long sinceNanos, Duration atMost) {}

  /** What lies between the socket and HTTP: nothing, or TLS. */
  @FunctionalInterface
  interface SocketWrapper {
    /** May wait for the client; closing the socket ends that. */
    Socket wrap(Socket socket) throws IOException;
  }

  /** Serves {@code socket} with what {@code reception} answers. */
  HttpConnection(
      Socket socket, SocketWrapper wrapping, Function<HttpRequest, HttpResponse> reception) {
    this.socket = socket;
    this.wrapping = wrapping;
    this.handler = reception;
    waitFor(HttpLimits.MAX_REQUEST_TIME);
  }

  /** How long the client has kept us waiting; negative if it does not. */
  long waitedNanos(long now) {
    ClientWait current = wait;
    return current == null ? -1 : now - current.sinceNanos();
  }

  boolean isOverdue(long now) {
    ClientWait current = wait;
    return current != null && now - current.sinceNanos() - current.atMost().toNanos() > 0;
  }

  /** Ends it from outside. */
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }

  /** Serves until the client goes, must go, or is closed. */
  void serve() throws IOException {
    Socket wrapped = wrapping.wrap(socket);
    InputStream in = new BufferedInputStream(wrapped.getInputStream(), BUFFER_BYTES);
    OutputStream out = wrapped.getOutputStream();
    HttpRequestParser reader = new HttpRequestParser(in, socket.getInetAddress().getHostAddress());
    for (int served = 1; served <= HttpLimits.MAX_REQUESTS_PER_CONNECTION; served++) {
      waitFor(HttpLimits.MAX_REQUEST_TIME);
      boolean last = served == HttpLimits.MAX_REQUESTS_PER_CONNECTION;
      byte[] answer;
      try {
        HttpRequest request = reader.next();
        if (request == null) {
          return;
        }
        last |= request.last();
        wait = null;
        answer = handler.apply(request).bytes(request.isHead(), last);
      } catch (BadRequestException e) {
        last = true;
        answer = e.toResponse().bytes(false, true);
      }
      waitFor(HttpLimits.MAX_RESPONSE_TIME);
      out.write(answer);
      out.flush();
      if (last) {
        lingeringClose(wrapped);
        return;
      }
    }
  }

  /** A close with bytes unread would send a reset, and the client may never see its answer. */
  private void lingeringClose(Socket wrapped) throws IOException {
    waitFor(HttpLimits.MAX_LINGER_TIME);
    wrapped.shutdownOutput();
    InputStream rest = socket.getInputStream();
    byte[] dropped = new byte[BUFFER_BYTES];
    while (rest.read(dropped) >= 0) {
      // Until the client closes, or the time is over.
    }
  }

  private void waitFor(Duration atMost) {
    wait = new ClientWait(System.nanoTime(), atMost);
  }
}
