package io.portcullis.agent.http;

import io.portcullis.agent.config.HttpSection;
import io.portcullis.agent.config.HttpSection.ReadyWhen;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which request goes where: to what everybody may see, or past the token to the rest. */
final class Reception {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final String DIAGNOSTICS = "/api/diagnostics";

  private final Paths paths;
  private final Orders orders;
  private final Authority authority;
  private final Addressee addressee;
  private final Supplier<String> diagnostics;
  private final Semaphore atOnce = new Semaphore(Bounds.MOST_AT_ONCE, true);

  Reception(HttpSection section, Served served) {
    this.paths =
        new Paths(served.view(), served.metrics(), section.readyWhen() == ReadyWhen.LEADER);
    this.orders = new Orders(served.elections(), served.reload());
    this.authority = new Authority(section.adminToken());
    this.addressee = new Addressee(section.bind());
    this.diagnostics = served.diagnostics();
  }

  Reply answer(Request request) {
    try {
      return addressee.objection(request).orElseGet(() -> route(request));
    } catch (RuntimeException | LinkageError e) { // Told, and the next request is served.
      LOG.error("portcullis could not answer {}", request, e);
      return Reply.error(500, "The agent could not answer: " + e);
    }
  }

  private Reply route(Request request) {
    String path = request.path();
    if (Orders.has(path)) {
      return request.method().equals("POST")
          ? authority.objection(request).orElseGet(() -> orders.take(request))
          : Reply.notAllowed("POST");
    }
    if (path.equals(DIAGNOSTICS)) {
      return request.method().equals("GET") || request.isHead()
          ? authority
              .objection(request)
              .orElseGet(() -> inTurn(() -> Reply.json(200, diagnostics.get())))
          : Reply.notAllowed("GET, HEAD");
    }
    return inTurn(() -> paths.answer(request.method(), request.uri()));
  }

  private Reply inTurn(Supplier<Reply> answer) {
    atOnce.acquireUninterruptibly();
    try {
      return answer.get();
    } finally {
      atOnce.release();
    }
  }
}
