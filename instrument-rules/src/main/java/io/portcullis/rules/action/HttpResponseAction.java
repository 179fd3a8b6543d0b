package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.WeaveSpec.HttpOptions;
import io.portcullis.rules.action.WeaveSpec.InFlightOptions;
import io.portcullis.rules.action.WeaveSpec.MethodKind;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.template.JakartaStatusTemplate;
import io.portcullis.rules.template.JakartaTemplate;
import io.portcullis.rules.template.JavaxStatusTemplate;
import io.portcullis.rules.template.JavaxTemplate;
import io.portcullis.rules.template.ObserveTemplate;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Set;

/**
 * Turns requests that fail because of a refused call into HTTP responses: woven into servlets and
 * filters, and into the methods of responses that set a status. It refuses no calls itself.
 */
final class HttpResponseAction implements Action {
  static final String NAME = "answer-503";

  private static final String RETRY_AFTER = "retry-after";
  private static final String REDIRECT = "redirect";
  private static final Duration MAX_LENGTH = Duration.ofDays(1);

  private static final String PURPOSE =
      "%s is for servlets and filters, which take a request and a response, and for methods of a"
              .formatted(NAME)
          + " response that take a status";

  private final HttpOptions httpOptions;

  /** Whether the rule is for the {@code javax} API: a method that takes a status doesn't tell. */
  private final boolean javax;

  private final boolean observe;

  private HttpResponseAction(HttpOptions httpOptions, boolean javax, boolean observe) {
    this.httpOptions = httpOptions;
    this.javax = javax;
    this.observe = observe;
  }

  static HttpResponseAction of(ActionOptions options) {
    options.allowOnly(NAME, Set.of(RETRY_AFTER, REDIRECT));
    Duration retryAfter = options.duration(RETRY_AFTER);
    if (retryAfter != null
        && (retryAfter.compareTo(MAX_LENGTH) > 0 || retryAfter.toMillis() % 1000 != 0)) {
      options.refuse(
          RETRY_AFTER, "must be whole seconds, at most one day", "Write 5s, for example");
    }
    long seconds = retryAfter == null ? 1 : retryAfter.toSeconds();
    return new HttpResponseAction(
        new HttpOptions(Long.toString(seconds), options.flag(REDIRECT)),
        options.match().startsWith("javax."),
        options.observe());
  }

  @Override
  public String text() {
    return NAME + (httpOptions.redirect() ? ", redirect" : "");
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
  public void checkForConstructors() throws CannotGateException {
    throw new CannotGateException(PURPOSE);
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    if (observe) {
      return new WeaveSpec(ObserveTemplate.class, null, InFlightOptions.NONE);
    }
    return new WeaveSpec(template(method), null, InFlightOptions.NONE, httpOptions);
  }

  private Class<?> template(MethodShape method) throws CannotGateException {
    if (!MethodKind.isVoid(method)) {
      throw new CannotGateException(PURPOSE);
    }
    String parameters = String.join(",", method.parameterTypes());
    if (parameters.startsWith(parameters("jakarta"))) {
      return JakartaTemplate.class;
    }
    if (parameters.startsWith(parameters("javax"))) {
      return JavaxTemplate.class;
    }
    if (method.parameterTypes().indexOf("int") == 0 && !Modifier.isStatic(method.access())) {
      return javax ? JavaxStatusTemplate.class : JakartaStatusTemplate.class;
    }
    throw new CannotGateException(PURPOSE);
  }

  private static String parameters(String api) {
    return "%1$s.servlet.ServletRequest,%1$s.servlet.ServletResponse".formatted(api);
  }
}
