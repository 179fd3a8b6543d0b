package io.portcullis.rules.action;

import io.portcullis.rules.template.AnswerFutureTemplate;
import io.portcullis.rules.template.AnswerTemplate;
import io.portcullis.rules.template.Interrupt;
import io.portcullis.rules.template.Recheck;
import io.portcullis.rules.template.Redirect;
import io.portcullis.rules.template.RefusedCall;
import io.portcullis.rules.template.RetryAfter;
import io.portcullis.rules.template.WatchedAnswerFutureTemplate;
import io.portcullis.rules.template.WatchedAnswerTemplate;
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
}
