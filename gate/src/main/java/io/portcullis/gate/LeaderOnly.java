package io.portcullis.gate;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method, or all methods of a type, that only the leader may run. If the agent's
 * configuration includes the rule set {@code leader-only}, refused calls of void methods are
 * skipped, and those of other methods throw a {@link NotLeaderException}. Without the agent, or
 * without that rule set, the annotation has no effect.
 *
 * <p>On an annotation type it marks everything that carries that annotation. An annotation on the
 * method takes precedence over one on its type.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface LeaderOnly {
  /**
   * The election whose leader may run the method; may be omitted if there is only one. A name that
   * the configuration does not contain is a weave error: the method can't be gated.
   */
  String election() default "";
}
