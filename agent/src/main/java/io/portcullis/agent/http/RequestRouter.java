package io.portcullis.agent.http;

import io.portcullis.agent.config.HttpSection;
import io.portcullis.agent.config.HttpSection.ReadyWhen;
import io.portcullis.agent.config.secret.AdminToken;
import io.portcullis.agent.http.HttpEndpoint.EndpointSources;
import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.NodeView;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes requests to the public status endpoints or to those that need the admin token. */
final class RequestRouter {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final String DIAGNOSTICS = "/api/diagnostics";

  private final StatusEndpoints statusEndpoints;
  private final AdminEndpoints adminEndpoints;
  private final AdminAuth adminAuth;
  private final HostHeaderCheck hostHeaderCheck;
  private final Supplier<String> diagnostics;
  private final Semaphore responseSlots = new Semaphore(HttpLimits.MAX_CONCURRENT_RESPONSES, true);
  private final Semaphore withToken = new Semaphore(HttpLimits.MAX_CONCURRENT_ADMIN_REQUESTS);

  RequestRouter(HttpSection section, EndpointSources served) {
    this.statusEndpoints =
        new StatusEndpoints(
            served.view(), served.metrics(), section.readyWhen() == ReadyWhen.LEADER);
    this.adminEndpoints = new AdminEndpoints(served.elections(), served.reload());
    this.adminAuth = new AdminAuth(section.adminToken());
    this.hostHeaderCheck = new HostHeaderCheck(section.bind());
    this.diagnostics = served.diagnostics();
  }

  HttpResponse answer(HttpRequest request) {
    try {
      return hostHeaderCheck.rejection(request).orElseGet(() -> route(request));
    } catch (RuntimeException | LinkageError e) { // Logged; the next request is served.
      LOG.error("portcullis could not handle the request {}", request, e);
      return HttpResponse.error(500, "The agent could not handle the request: " + e);
    }
  }

  private HttpResponse route(HttpRequest request) {
    String path = request.path();
    if (AdminEndpoints.has(path)) {
      return request.method().equals("POST")
          ? withToken(request, () -> adminEndpoints.handle(request))
          : HttpResponse.notAllowed("POST");
    }
    if (path.equals(DIAGNOSTICS)) {
      return request.method().equals("GET") || request.isHead()
          ? withToken(
              request, () -> withConcurrencyLimit(() -> HttpResponse.json(200, diagnostics.get())))
          : HttpResponse.notAllowed("GET, HEAD");
    }
    return withConcurrencyLimit(() -> statusEndpoints.answer(request.method(), request.uri()));
  }

  private HttpResponse withToken(HttpRequest request, Supplier<HttpResponse> response) {
    if (!withToken.tryAcquire()) {
      return HttpResponse.error(503, "Too many concurrent admin requests. Try again.")
          .with("Retry-After", "1");
    }
    try {
      return adminAuth.rejection(request).orElseGet(response);
    } finally {
      withToken.release();
    }
  }

  private HttpResponse withConcurrencyLimit(Supplier<HttpResponse> response) {
    responseSlots.acquireUninterruptibly();
    try {
      return response.get();
    } finally {
      responseSlots.release();
    }
  }

  /** Serves the public paths. Independent of sockets. */
  static final class StatusEndpoints {
    private static final String LEADER_OF = "/leader/";

    private final Supplier<NodeView> node;
    private final Function<NodeView, String> metrics;
    private final boolean readyWhenLeader;

    StatusEndpoints(
        Supplier<NodeView> node, Function<NodeView, String> metrics, boolean readyWhenLeader) {
      this.node = node;
      this.metrics = metrics;
      this.readyWhenLeader = readyWhenLeader;
    }

    HttpResponse answer(String method, String uri) {
      int query = uri.indexOf('?');
      String path = query < 0 ? uri : uri.substring(0, query);
      Optional<HttpResponse> found = read(path);
      if (found.isEmpty()) {
        return HttpResponse.json(
            404,
            StatusJson.error(
                "Not found. Paths: / /healthz /readyz /leader /leader/{election} /metrics"
                    + " /api/status."));
      }
      return method.equals("GET") || method.equals("HEAD")
          ? found.get()
          : HttpResponse.notAllowed("GET, HEAD");
    }

    private Optional<HttpResponse> read(String path) {
      if (path.equals("/")) {
        return Optional.of(StatusPage.response());
      }
      NodeView view = node.get();
      return switch (path) {
        case "/healthz" -> Optional.of(probe(view, view.isHealthy()));
        case "/readyz" -> Optional.of(probe(view, isReady(view)));
        case "/leader" -> Optional.of(probe(view, view.mayAct()));
        case "/metrics" -> Optional.of(HttpResponse.metrics(metrics.apply(view)));
        case "/api/status" -> Optional.of(HttpResponse.json(200, StatusJson.status(view)));
        default -> path.startsWith(LEADER_OF) ? leaderOf(view, path) : Optional.empty();
      };
    }

    private boolean isReady(NodeView view) {
      return readyWhenLeader ? view.mayAct() : view.isParticipating();
    }

    private static Optional<HttpResponse> leaderOf(NodeView view, String path) {
      String name = path.substring(LEADER_OF.length());
      return view.elections().stream()
          .filter(election -> election.name().equals(name))
          .map(ElectionView::mayAct)
          .map(leads -> probe(view, leads))
          .findFirst();
    }

    private static HttpResponse probe(NodeView view, boolean yes) {
      return HttpResponse.json(yes ? 200 : 503, StatusJson.probe(view));
    }
  }

  /** Checks the admin token of a request, with a rate limit for wrong tokens. */
  static final class AdminAuth {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");
    private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

    private final Optional<AdminToken> token;
    private final TokenRateLimiter rateLimiter = new TokenRateLimiter();
    private long rejected;
    private long loggedAtNanos = System.nanoTime() - LOG_INTERVAL.toNanos();

    AdminAuth(Optional<AdminToken> token) {
      this.token = token;
    }

    /**
     * The error response if this request is not authorised. Synchronized, so that concurrent
     * guesses can't bypass the rate limit.
     */
    synchronized Optional<HttpResponse> rejection(HttpRequest request) {
      if (token.isEmpty()) {
        return Optional.of(
            HttpResponse.error(
                403,
                "The configuration sets no admin token; set http.admin-token-file to allow it."));
      }
      Optional<String> shown = request.bearerToken();
      if (shown.isEmpty()) {
        return Optional.of(
            unauthorised("This needs the admin token: Authorization: Bearer <token>."));
      }
      long now = System.nanoTime();
      if (!rateLimiter.mayTry(now)) {
        countRejected(request, now);
        return Optional.of(
            HttpResponse.error(429, "Too many wrong tokens; this one was not checked. Try again.")
                .with("Retry-After", "1"));
      }
      return checkToken(token.get(), shown.get(), request, now);
    }

    private Optional<HttpResponse> checkToken(
        AdminToken right, String shown, HttpRequest request, long now) {
      try {
        if (right.is(shown)) {
          rateLimiter.reset();
          return Optional.empty();
        }
      } catch (IOException e) {
        LOG.error("portcullis can't accept admin commands over HTTP: {}", e.getMessage());
        return Optional.of(
            HttpResponse.error(503, "The admin token can't be read at present; see the log."));
      }
      rateLimiter.recordFailure(now);
      countRejected(request, now);
      return Optional.of(unauthorised("This is not the admin token."));
    }

    private static HttpResponse unauthorised(String why) {
      return HttpResponse.error(401, why).with("WWW-Authenticate", "Bearer");
    }

    private void countRejected(HttpRequest request, long now) {
      rejected++;
      if (now - loggedAtNanos - LOG_INTERVAL.toNanos() >= 0) {
        LOG.warn(
            "portcullis rejected admin requests with a wrong token: {} since the last such message,"
                + " the newest {} from {}",
            rejected,
            request,
            request.from());
        rejected = 0;
        loggedAtNanos = now;
      }
    }
  }
}
