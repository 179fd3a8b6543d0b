package io.portcullis.rules.template;

import io.portcullis.gate.HttpRefusal;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.template.TemplateParameter.Redirect;
import io.portcullis.rules.template.TemplateParameter.RetryAfter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import net.bytebuddy.asm.Advice.Argument;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.Thrown;
import org.jspecify.annotations.Nullable;

/**
 * Woven into servlets and filters, which alone need to know the servlet API: here its types are
 * names.
 *
 * <p>A committed response can't be changed, nor one that another thread will write. An error page
 * that is refused leaves the error as it was. No error page is requested: a filter in front of it,
 * such as an authorization check, could turn the 503 into a status that clients do not retry.
 */
public final class JakartaTemplate {
  private JakartaTemplate() {}

  @OnMethodExit(onThrowable = Throwable.class)
  @SuppressWarnings("UnusedAssignment") // It takes the exception from the woven method.
  static void exit(
      @Argument(0) Object request,
      @Argument(1) Object response,
      @RetryAfter String retryAfter,
      @Redirect boolean redirect,
      @Thrown(readOnly = false) @Nullable Throwable thrown) {
    NotLeaderException refused = HttpRefusal.in(thrown);
    if (refused != null
        && request instanceof HttpServletRequest asked
        && response instanceof HttpServletResponse answer
        && !answer.isCommitted()
        && !asked.isAsyncStarted()
        && asked.getDispatcherType() != DispatcherType.ERROR) {
      String leader = refused.leader();
      String address =
          redirect
              ? HttpRefusal.atLeader(refused, asked.getRequestURI(), asked.getQueryString())
              : null;
      answer.resetBuffer();
      if (leader != null) {
        answer.setHeader(HttpRefusal.LEADER_HEADER, leader);
      }
      if (address == null) {
        answer.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        answer.setHeader("Retry-After", retryAfter);
      } else {
        answer.setStatus(HttpServletResponse.SC_TEMPORARY_REDIRECT);
        answer.setHeader("Location", address);
      }
      if (answer.containsHeader("Content-Length")) {
        answer.setContentLength(0);
      }
      thrown = null;
    }
  }
}
