package io.portcullis.agent.http;

import io.portcullis.agent.config.HttpSection;
import io.portcullis.agent.config.HttpSection.ReadyWhen;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which request goes where: to what everybody may see, or past the token to the rest. */
final class RequestRouter {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final String DIAGNOSTICS = "/api/diagnostics";

  private final StatusEndpoints paths;
  private final AdminEndpoints orders;
  private final AdminAuth authority;
  private final HostHeaderCheck addressee;
  private final Supplier<String> diagnostics;
  private final Semaphore atOnce = new Semaphore(HttpLimits.MAX_AT_ONCE, true);
  private final Semaphore withToken = new Semaphore(HttpLimits.MAX_ORDERS);

  RequestRouter(HttpSection section, EndpointSources served) {
    this.paths =
        new StatusEndpoints(
            served.view(), served.metrics(), section.readyWhen() == ReadyWhen.LEADER);
    this.orders = new AdminEndpoints(served.elections(), served.reload());
    this.authority = new AdminAuth(section.adminToken());
    this.addressee = new HostHeaderCheck(section.bind());
    this.diagnostics = served.diagnostics();
  }

  HttpResponse answer(HttpRequest request) {
    try {
      return addressee.objection(request).orElseGet(() -> route(request));
    } catch (RuntimeException | LinkageError e) { // Told, and the next request is served.
      LOG.error("portcullis could not answer {}", request, e);
      return HttpResponse.error(500, "The agent could not answer: " + e);
    }
  }

  private HttpResponse route(HttpRequest request) {
    String path = request.path();
    if (AdminEndpoints.has(path)) {
      return request.method().equals("POST")
          ? withToken(request, () -> orders.take(request))
          : HttpResponse.notAllowed("POST");
    }
    if (path.equals(DIAGNOSTICS)) {
      return request.method().equals("GET") || request.isHead()
          ? withToken(request, () -> inTurn(() -> HttpResponse.json(200, diagnostics.get())))
          : HttpResponse.notAllowed("GET, HEAD");
    }
    return inTurn(() -> paths.answer(request.method(), request.uri()));
  }

  private HttpResponse withToken(HttpRequest request, Supplier<HttpResponse> answer) {
    if (!withToken.tryAcquire()) {
      return HttpResponse.error(503, "Too many orders at a time. Try again.")
          .with("Retry-After", "1");
    }
    try {
      return authority.objection(request).orElseGet(answer);
    } finally {
      withToken.release();
    }
  }

  private HttpResponse inTurn(Supplier<HttpResponse> answer) {
    atOnce.acquireUninterruptibly();
    try {
      return answer.get();
    } finally {
      atOnce.release();
    }
  }
}
