package io.portcullis.rules.template;

import io.portcullis.gate.HttpRefusal;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.template.TemplateParameter.Redirect;
import io.portcullis.rules.template.TemplateParameter.RetryAfter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import net.bytebuddy.asm.Advice.Argument;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.Thrown;
import org.jspecify.annotations.Nullable;

/**
 * Woven into servlets and filters. The servlet API is resolved by the class that the code is copied
 * into; the agent itself does not need it.
 *
 * <p>Two kinds of requests get the response: those whose refusal leaves a servlet or filter as an
 * exception, and those during which a call was refused and which end in another exception or in a
 * server error, as seen by the outermost servlet or filter. A 503 with Retry-After is left as it
 * is: either the application has answered so, or {@link JakartaStatusTemplate} has changed its
 * answer.
 *
 * <p>A committed response can't be changed, nor one that another thread will write. If an error
 * page is refused, the original error is kept. No error page is requested: a filter in front of it,
 * such as an authorization check, could turn the 503 into a status that clients do not retry.
 */
public final class JakartaTemplate {
  private JakartaTemplate() {}

  @OnMethodEnter
  static int enter() {
    return HttpRefusal.enter();
  }

  @OnMethodExit(onThrowable = Throwable.class)
  @SuppressWarnings("UnusedAssignment") // Clears the exception of the woven method.
  static void exit(
      @Enter int outer,
      @Argument(0) Object request,
      @Argument(1) Object response,
      @RetryAfter String retryAfter,
      @Redirect boolean redirect,
      @Thrown(readOnly = false) @Nullable Throwable thrown) {
    NotLeaderException refused = HttpRefusal.leave(outer, thrown);
    if (refused != null
        && request instanceof HttpServletRequest httpRequest
        && response instanceof HttpServletResponse httpResponse
        && !httpResponse.isCommitted()
        && !httpRequest.isAsyncStarted()
        && httpRequest.getDispatcherType() != DispatcherType.ERROR
        && (thrown != null || httpResponse.getStatus() >= 500)) {
      String leader = refused.leader();
      String location =
          redirect
              ? HttpRefusal.atLeader(
                  refused, httpRequest.getRequestURI(), httpRequest.getQueryString())
              : null;
      boolean answered =
          thrown == null
              && location == null
              && httpResponse.getStatus() == HttpServletResponse.SC_SERVICE_UNAVAILABLE
              && httpResponse.containsHeader("Retry-After");
      if (!answered) {
        if (thrown != null && HttpRefusal.in(thrown) == null) {
          httpRequest.getServletContext().log(HttpRefusal.HIDDEN_EXCEPTION, thrown);
        }
        httpResponse.resetBuffer();
        if (leader != null) {
          httpResponse.setHeader(HttpRefusal.LEADER_HEADER, leader);
        }
        if (location == null) {
          httpResponse.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
          httpResponse.setHeader("Retry-After", retryAfter);
        } else {
          httpResponse.setStatus(HttpServletResponse.SC_TEMPORARY_REDIRECT);
          httpResponse.setHeader("Location", location);
        }
        if (httpResponse.containsHeader("Content-Length")) {
          httpResponse.setContentLength(0);
        }
        thrown = null;
      }
    }
  }
}
