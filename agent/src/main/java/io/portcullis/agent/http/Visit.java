package io.portcullis.agent.http;

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
 * has a deadline, which the {@link Doorkeeper} enforces by closing the socket: that ends any read
 * or write, whatever layers lie between.
 */
final class Visit {
  private static final int BUFFER = 2 * 1024;

  private final Socket socket;
  private final Wrapping wrapping;
  private final Function<Request, Reply> reception;

  /** When the client began to keep us waiting; null while it waits for us. */
  private volatile @Nullable Wait wait;

  private record Wait(long sinceNanos, Duration atMost) {}

  /** What lies between the socket and HTTP: nothing, or TLS. */
  @FunctionalInterface
  interface Wrapping {
    /** May wait for the client; closing the socket ends that. */
    Socket wrap(Socket socket) throws IOException;
  }

  /** Serves {@code socket} with what {@code reception} answers. */
  Visit(Socket socket, Wrapping wrapping, Function<Request, Reply> reception) {
    this.socket = socket;
    this.wrapping = wrapping;
    this.reception = reception;
    waitFor(Bounds.LONGEST_REQUEST);
  }

  /** How long the client has kept us waiting; negative if it does not. */
  long dawdledNanos(long now) {
    Wait current = wait;
    return current == null ? -1 : now - current.sinceNanos();
  }

  boolean isOverdue(long now) {
    Wait current = wait;
    return current != null && now - current.sinceNanos() - current.atMost().toNanos() > 0;
  }

  /** Ends it from outside. */
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
      wait = null;
    }
  }

  /** Serves until the client goes, must go, or is closed. */
  void serve() throws IOException {
    Socket wrapped = wrapping.wrap(socket);
    InputStream in = new BufferedInputStream(wrapped.getInputStream(), BUFFER);
    OutputStream out = wrapped.getOutputStream();
    RequestReader reader = new RequestReader(in, socket.getInetAddress().getHostAddress());
    for (int served = 1; served <= Bounds.MOST_REQUESTS; served++) {
      waitFor(Bounds.LONGEST_REQUEST);
      boolean last = served == Bounds.MOST_REQUESTS;
      byte[] answer;
      try {
        Request request = reader.next();
        if (request == null) {
          return;
        }
        last |= request.last();
        wait = null;
        answer = reception.apply(request).bytes(request.isHead(), last);
      } catch (BadRequest e) {
        last = true;
        answer = e.reply().bytes(false, true);
      }
      waitFor(Bounds.LONGEST_ANSWER);
      out.write(answer);
      out.flush();
      if (last) {
        leave(wrapped);
        return;
      }
    }
  }

  /** A close with bytes unread would send a reset, and the client may never see its answer. */
  private void leave(Socket wrapped) throws IOException {
    waitFor(Bounds.LONGEST_LEAVING);
    wrapped.shutdownOutput();
    InputStream rest = socket.getInputStream();
    byte[] dropped = new byte[BUFFER];
    while (rest.read(dropped) >= 0) {
      // Until the client closes, or the time is over.
    }
  }

  private void waitFor(Duration atMost) {
    wait = new Wait(System.nanoTime(), atMost);
  }
}
