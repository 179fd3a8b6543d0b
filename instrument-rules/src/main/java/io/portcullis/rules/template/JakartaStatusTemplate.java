package io.portcullis.rules.template;

import io.portcullis.gate.HttpRefusal;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.template.TemplateParameter.RetryAfter;
import jakarta.servlet.http.HttpServletResponse;
import net.bytebuddy.asm.Advice.Argument;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.This;

/**
 * Woven into the methods of HTTP responses that set a status. If a call was refused during the
 * request, a server error becomes 503 when the application sets it: later the response may be
 * committed, and after {@code sendError} the container, outside of all filters, creates it.
 *
 * <p>The rest of the response is the application's, including its body.
 */
public final class JakartaStatusTemplate {
  private JakartaStatusTemplate() {}

  @OnMethodEnter
  @SuppressWarnings("UnusedAssignment") // Changes the argument of the woven method.
  static void enter(
      @This Object response,
      @Argument(value = 0, readOnly = false) int status,
      @RetryAfter String retryAfter) {
    NotLeaderException refused = HttpRefusal.behind(status);
    if (refused != null
        && response instanceof HttpServletResponse httpResponse
        && !httpResponse.isCommitted()) {
      String leader = refused.leader();
      if (leader != null) {
        httpResponse.setHeader(HttpRefusal.LEADER_HEADER, leader);
      }
      if (!httpResponse.containsHeader("Retry-After")) {
        httpResponse.setHeader("Retry-After", retryAfter);
      }
      status = HttpServletResponse.SC_SERVICE_UNAVAILABLE;
    }
  }
}
