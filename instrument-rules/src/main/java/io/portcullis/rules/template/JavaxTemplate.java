package io.portcullis.rules.template;

import io.portcullis.gate.HttpRefusal;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.template.TemplateParameter.Redirect;
import io.portcullis.rules.template.TemplateParameter.RetryAfter;
import javax.servlet.DispatcherType;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.bytebuddy.asm.Advice.Argument;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.Thrown;
import org.jspecify.annotations.Nullable;

/** Variant of {@link JakartaTemplate} for the {@code javax.servlet} API. */
public final class JavaxTemplate {
  private JavaxTemplate() {}

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
