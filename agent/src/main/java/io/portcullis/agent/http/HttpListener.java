package io.portcullis.agent.http;

import io.portcullis.agent.node.NodeView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.microhttp.EventLoop;
import org.microhttp.Header;
import org.microhttp.Options;
import org.microhttp.OptionsBuilder;
import org.microhttp.Request;
import org.microhttp.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for HTTP. An event loop, so that half-sent requests cost a little memory and no thread;
 * what takes too long or grows too big is cut off.
 *
 * <p>If the port is taken, or the loop ends by an error of the system, it is tried again and again:
 * the election goes on meanwhile.
 */
public final class HttpListener {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration RESOLUTION = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final int MOST_REQUEST_BYTES = 16 * 1024;
  private static final int MOST_WAITING = 64;

  private final String bind;
  private final int port;
  private final Paths paths;

  /** Answers for {@code node}; {@code metrics} renders a view for scrapers. */
  public HttpListener(
      String bind,
      int port,
      boolean readyWhenLeader,
      Supplier<NodeView> node,
      Function<NodeView, String> metrics) {
    this.bind = bind;
    this.port = port;
    this.paths = new Paths(node, metrics, readyWhenLeader);
  }

  /** Listens on a daemon thread of its own until the JVM ends. */
  public void start() {
    Thread thread = new Thread(this::run, "portcullis-http");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    boolean said = false;
    while (!Thread.currentThread().isInterrupted()) {
      try {
        EventLoop loop = new EventLoop(options(), this::handle);
        LOG.info("portcullis listening on http://{}:{}", bind, loop.getPort());
        said = false;
        loop.start();
        loop.join();
        LOG.error("portcullis stopped listening on {}:{}; trying again", bind, port);
      } catch (IOException | RuntimeException e) {
        if (!said) {
          said = true;
          LOG.error(
              "portcullis can't listen on {}:{} ({}); health, metrics and status are not to be had"
                  + " there until it can. Free the port, or set http.port (0 takes a free one).",
              bind,
              port,
              e.toString());
        }
      } catch (InterruptedException e) {
        return;
      }
      pause();
    }
  }

  private static void pause() {
    java.util.concurrent.locks.LockSupport.parkNanos(PAUSE.toNanos());
  }

  private Options options() {
    return OptionsBuilder.newBuilder()
        .withHost(bind)
        .withPort(port)
        .withRequestTimeout(REQUEST_TIMEOUT)
        .withResolution(RESOLUTION)
        .withMaxRequestSize(MOST_REQUEST_BYTES)
        .withAcceptLength(MOST_WAITING)
        .withReuseAddr(true)
        .withConcurrency(1)
        .build();
  }

  private void handle(Request request, Consumer<Response> callback) {
    callback.accept(response(request.method(), request.uri()));
  }

  private Response response(String method, String uri) {
    Reply reply;
    try {
      reply = paths.answer(method, uri);
    } catch (RuntimeException | LinkageError e) { // The loop must live on for the next request.
      LOG.error("portcullis could not answer {} {}", method, uri, e);
      reply = Reply.json(500, Json.error("The agent could not answer: " + e));
    }
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    List<Header> headers = new ArrayList<>();
    headers.add(new Header("Content-Type", reply.type()));
    headers.add(new Header("Cache-Control", "no-store"));
    reply.more().forEach((name, value) -> headers.add(new Header(name, value)));
    boolean head = method.equals("HEAD");
    if (head) {
      headers.add(new Header("Content-Length", Integer.toString(body.length)));
    }
    return new Response(reply.status(), reply.reason(), headers, head ? new byte[0] : body);
  }
}
