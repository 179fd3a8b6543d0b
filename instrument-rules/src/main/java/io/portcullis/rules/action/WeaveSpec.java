package io.portcullis.rules.action;

import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.template.AnswerFutureTemplate;
import io.portcullis.rules.template.AnswerFutureTemplate.WatchedAnswerFutureTemplate;
import io.portcullis.rules.template.AnswerTemplate;
import io.portcullis.rules.template.AnswerTemplate.WatchedAnswerTemplate;
import io.portcullis.rules.template.TemplateParameter.Interrupt;
import io.portcullis.rules.template.TemplateParameter.Recheck;
import io.portcullis.rules.template.TemplateParameter.Redirect;
import io.portcullis.rules.template.TemplateParameter.RefusedCall;
import io.portcullis.rules.template.TemplateParameter.RetryAfter;
import java.lang.reflect.Modifier;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Specification of how a method is woven.
 *
 * @param template the advice that is copied into the method
 * @param answer the value of the template's {@link RefusedCall} parameter, if it has one
 * @param vigilance the values of the template's {@link Recheck} and {@link Interrupt} parameters
 * @param http the values of the template's {@link RetryAfter} and {@link Redirect} parameters
 */
public record WeaveSpec(
    Class<?> template,
    @Nullable RefusedResult answer,
    InFlightOptions vigilance,
    HttpOptions http) {

  /** For a template without HTTP parameters. */
  WeaveSpec(Class<?> template, @Nullable RefusedResult answer, InFlightOptions vigilance) {
    this(template, answer, vigilance, HttpOptions.NONE);
  }

  /** For a method whose refused calls return a result, or nothing if it is void. */
  static WeaveSpec answering(RefusedResult answer, InFlightOptions vigilance) {
    return new WeaveSpec(
        vigilance.isNone() ? AnswerTemplate.class : WatchedAnswerTemplate.class, answer, vigilance);
  }

  /** The same for a method that returns a future, which may complete after the call has ended. */
  static WeaveSpec answeringByFuture(RefusedResult answer, InFlightOptions vigilance) {
    return new WeaveSpec(
        vigilance.isNone() ? AnswerFutureTemplate.class : WatchedAnswerFutureTemplate.class,
        answer,
        vigilance);
  }

  /**
   * Options of the HTTP response from a node that is not the leader.
   *
   * @param retryAfter value of the Retry-After header, in seconds
   * @param redirect whether the client is redirected to the leader if its address is known
   */
  public record HttpOptions(String retryAfter, boolean redirect) {
    /** For methods that do not handle HTTP requests. */
    static final HttpOptions NONE = new HttpOptions("", false);
  }

  /**
   * Options of a rule for calls in flight, which the gate has admitted.
   *
   * @param recheck whether a call must not end normally under an epoch that was lost meanwhile
   * @param interrupt whether threads inside are interrupted when leadership is lost
   */
  public record InFlightOptions(boolean recheck, boolean interrupt) {
    /** Admitted calls are neither rechecked nor interrupted. */
    static final InFlightOptions NONE = new InFlightOptions(false, false);

    static final Set<String> KEYS = Set.of("recheck", "interrupt");

    /** {@link #NONE} for a rule that only observes, because it must not affect any call. */
    static InFlightOptions of(ActionOptions options) {
      InFlightOptions wanted =
          new InFlightOptions(options.flag("recheck"), options.flag("interrupt"));
      return options.observe() ? NONE : wanted;
    }

    boolean isNone() {
      return !recheck && !interrupt;
    }

    /** The action's text, followed by these options. */
    String addedTo(String action) {
      return action + (recheck ? ", recheck" : "") + (interrupt ? ", interrupt" : "");
    }

    void refuseForConstructor() throws CannotGateException {
      if (!isNone()) {
        throw new CannotGateException(
            "the end of a constructor can't be detected, so %s is not supported there. Leave it"
                    .formatted(recheck ? "recheck" : "interrupt")
                + " out, or name a method instead of new.");
      }
    }
  }

  /** Properties of a method that decide how actions weave it. */
  static final class MethodKind {
    private static final Set<String> FUTURES =
        Set.of("java.util.concurrent.CompletionStage", "java.util.concurrent.CompletableFuture");

    private MethodKind() {}

    static boolean isConstructor(MethodShape method) {
      return method.name().equals("<init>");
    }

    /** Decided by the declared return type: a future of any other type is treated as a value. */
    static boolean answersByFuture(MethodShape method) {
      return FUTURES.contains(method.returnType());
    }

    static boolean isVoid(MethodShape method) {
      return method.returnType().equals("void");
    }

    static boolean isSynchronized(MethodShape method) {
      return Modifier.isSynchronized(method.access());
    }
  }
}
