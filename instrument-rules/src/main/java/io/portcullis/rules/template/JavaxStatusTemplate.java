package io.portcullis.rules.template;

import io.portcullis.gate.HttpRefusal;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.template.TemplateParameter.RetryAfter;
import javax.servlet.http.HttpServletResponse;
import net.bytebuddy.asm.Advice.Argument;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.This;

/** Variant of {@link JakartaStatusTemplate} for the {@code javax.servlet} API. */
public final class JavaxStatusTemplate {
  private JavaxStatusTemplate() {}

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
