package io.portcullis.rules.template;

import io.portcullis.gate.HttpRefusal;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.template.TemplateParameter.Redirect;
import io.portcullis.rules.template.TemplateParameter.RetryAfter;
import javax.servlet.DispatcherType;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import net.bytebuddy.asm.Advice.Argument;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.Thrown;
import org.jspecify.annotations.Nullable;

/** The same as {@link JakartaTemplate}, for the {@code javax.servlet} API. */
public final class JavaxTemplate {
  private JavaxTemplate() {}

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
