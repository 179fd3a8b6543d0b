package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.classfile.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.template.IdleTemplate;
import io.portcullis.rules.template.JakartaTemplate;
import io.portcullis.rules.template.JavaxTemplate;
import java.time.Duration;
import java.util.Set;

/**
 * Refuses nothing: turns a {@code NotLeaderException} that leaves a servlet or filter into an
 * answer over HTTP.
 */
final class HttpAnswerAction implements Action {
  static final String NAME = "answer-503";

  private static final String RETRY_AFTER = "retry-after";
  private static final String REDIRECT = "redirect";
  private static final Duration LONGEST = Duration.ofDays(1);

  private final HttpManner manner;
  private final boolean observe;

  private HttpAnswerAction(HttpManner manner, boolean observe) {
    this.manner = manner;
    this.observe = observe;
  }

  static HttpAnswerAction of(ActionOptions options) {
    options.allowOnly(NAME, Set.of(RETRY_AFTER, REDIRECT));
    Duration retryAfter = options.duration(RETRY_AFTER);
    if (retryAfter != null
        && (retryAfter.compareTo(LONGEST) > 0 || retryAfter.toMillis() % 1000 != 0)) {
      options.refuse(
          RETRY_AFTER, "is told in whole seconds, at most a day's", "Write 5s, for example");
    }
    long seconds = retryAfter == null ? 1 : retryAfter.toSeconds();
    return new HttpAnswerAction(
        new HttpManner(Long.toString(seconds), options.flag(REDIRECT)), options.observe());
  }

  @Override
  public String text() {
    return NAME + (manner.redirect() ? ", redirect" : "");
  }

  @Override
  public boolean gates() {
    return false;
  }

  @Override
  public Refusal refusal() {
    return (checkpoint, sinceNanos) -> Verdict.RUN;
  }

  @Override
  public void checkForConstructors() throws CannotGate {
    throw new CannotGate(
        "%s is for servlets and filters, which take a request and a response".formatted(NAME));
  }

  @Override
  public GateForm form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGate {
    if (observe) {
      return new GateForm(IdleTemplate.class, null, Vigilance.NONE);
    }
    return new GateForm(template(method), null, Vigilance.NONE, manner);
  }

  private static Class<?> template(MethodShape method) throws CannotGate {
    String parameters = String.join(",", method.parameterTypes());
    if (parameters.startsWith(parameters("jakarta")) && MethodKind.isVoid(method)) {
      return JakartaTemplate.class;
    }
    if (parameters.startsWith(parameters("javax")) && MethodKind.isVoid(method)) {
      return JavaxTemplate.class;
    }
    throw new CannotGate(
        "%s is for servlets and filters, which take a request and a response".formatted(NAME));
  }

  private static String parameters(String api) {
    return "%1$s.servlet.ServletRequest,%1$s.servlet.ServletResponse".formatted(api);
  }
}
