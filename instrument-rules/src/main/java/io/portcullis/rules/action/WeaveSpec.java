package io.portcullis.rules.action;

import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.template.AnswerFutureTemplate;
import io.portcullis.rules.template.AnswerTemplate;
import io.portcullis.rules.template.TemplateParameter.Interrupt;
import io.portcullis.rules.template.TemplateParameter.Recheck;
import io.portcullis.rules.template.TemplateParameter.Redirect;
import io.portcullis.rules.template.TemplateParameter.RefusedCall;
import io.portcullis.rules.template.TemplateParameter.RetryAfter;
import io.portcullis.rules.template.WatchedAnswerFutureTemplate;
import io.portcullis.rules.template.WatchedAnswerTemplate;
import java.lang.reflect.Modifier;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a method is woven.
 *
 * @param template the advice that is copied into the method
 * @param answer what the template's {@link RefusedCall} parameter makes, if it has one
 * @param vigilance what the template's {@link Recheck} and {@link Interrupt} parameters say
 * @param http what the template's {@link RetryAfter} and {@link Redirect} parameters say
 */
public record WeaveSpec(
    Class<?> template,
    @Nullable RefusedResult answer,
    InFlightOptions vigilance,
    HttpOptions http) {

  /** For a template that has nothing to do with HTTP. */
  WeaveSpec(Class<?> template, @Nullable RefusedResult answer, InFlightOptions vigilance) {
    this(template, answer, vigilance, HttpOptions.NONE);
  }

  /** For a method whose refused calls return an answer, or nothing if it is void. */
  static WeaveSpec answering(RefusedResult answer, InFlightOptions vigilance) {
    return new WeaveSpec(
        vigilance.isNone() ? AnswerTemplate.class : WatchedAnswerTemplate.class, answer, vigilance);
  }

  /** The same for a method that answers by a future, which may outlast the call. */
  static WeaveSpec answeringByFuture(RefusedResult answer, InFlightOptions vigilance) {
    return new WeaveSpec(
        vigilance.isNone() ? AnswerFutureTemplate.class : WatchedAnswerFutureTemplate.class,
        answer,
        vigilance);
  }

  /**
   * How a client is told over HTTP that this node does not lead.
   *
   * @param retryAfter after how many seconds it may ask again
   * @param redirect whether it is sent to the leader where its address is known
   */
  public record HttpOptions(String retryAfter, boolean redirect) {
    /** For what has nothing to do with HTTP. */
    static final HttpOptions NONE = new HttpOptions("", false);
  }

  /**
   * What a rule does about calls that were let in.
   *
   * @param recheck whether a call must not end normally under an epoch that was lost meanwhile
   * @param interrupt whether threads inside are interrupted when leadership is lost
   */
  public record InFlightOptions(boolean recheck, boolean interrupt) {
    /** They are let in, and that is all. */
    static final InFlightOptions NONE = new InFlightOptions(false, false);

    static final Set<String> KEYS = Set.of("recheck", "interrupt");

    /** A rule that only observes changes no call, so it has none. */
    static InFlightOptions of(ActionOptions options) {
      InFlightOptions wanted =
          new InFlightOptions(options.flag("recheck"), options.flag("interrupt"));
      return options.observe() ? NONE : wanted;
    }

    boolean isNone() {
      return !recheck && !interrupt;
    }

    /** The action's words, and these. */
    String addedTo(String action) {
      return action + (recheck ? ", recheck" : "") + (interrupt ? ", interrupt" : "");
    }

    void refuseForConstructor() throws CannotGateException {
      if (!isNone()) {
        throw new CannotGateException(
            "the end of a constructor can't be seen, so %s can't be had there. Leave it out, or name a"
                    .formatted(recheck ? "recheck" : "interrupt")
                + " method instead of new.");
      }
    }
  }

  /** What actions ask of a method before they say how it is woven. */
  static final class MethodKind {
    private static final Set<String> FUTURES =
        Set.of("java.util.concurrent.CompletionStage", "java.util.concurrent.CompletableFuture");

    private MethodKind() {}

    static boolean isConstructor(MethodShape method) {
      return method.name().equals("<init>");
    }

    /** By its declared type: what else it may return is a value like any other. */
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
