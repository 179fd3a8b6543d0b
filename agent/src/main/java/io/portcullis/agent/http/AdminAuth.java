package io.portcullis.agent.http;

import io.portcullis.agent.config.AdminToken;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says who may give orders: whoever shows the token that the configuration names. */
final class AdminAuth {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);

  private final Optional<AdminToken> token;
  private final TokenRateLimiter attempts = new TokenRateLimiter();
  private long turnedAway;
  private long toldAtNanos = System.nanoTime() - BETWEEN_LINES.toNanos();

  AdminAuth(Optional<AdminToken> token) {
    this.token = token;
  }

  /** Why this request must not be carried out, if so. One at a time: guesses can't race. */
  synchronized Optional<HttpResponse> objection(HttpRequest request) {
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
    if (!attempts.mayTry(now)) {
      turnAway(request, now);
      return Optional.of(
          HttpResponse.error(429, "Too many wrong tokens; this one was not looked at. Try again.")
              .with("Retry-After", "1"));
    }
    return judge(token.get(), shown.get(), request, now);
  }

  private Optional<HttpResponse> judge(
      AdminToken right, String shown, HttpRequest request, long now) {
    try {
      if (right.is(shown)) {
        attempts.wasRight();
        return Optional.empty();
      }
    } catch (IOException e) {
      LOG.error("portcullis takes no orders by HTTP at present: {}", e.getMessage());
      return Optional.of(
          HttpResponse.error(503, "The admin token can't be read at present; the log says why."));
    }
    attempts.wasWrong(now);
    turnAway(request, now);
    return Optional.of(unauthorised("This is not the admin token."));
  }

  private static HttpResponse unauthorised(String why) {
    return HttpResponse.error(401, why).with("WWW-Authenticate", "Bearer");
  }

  private void turnAway(HttpRequest request, long now) {
    turnedAway++;
    if (now - toldAtNanos - BETWEEN_LINES.toNanos() >= 0) {
      LOG.warn(
          "portcullis turned away requests with a wrong token: {} since the last such line, the"
              + " newest {} from {}",
          turnedAway,
          request,
          request.from());
      turnedAway = 0;
      toldAtNanos = now;
    }
  }
}
