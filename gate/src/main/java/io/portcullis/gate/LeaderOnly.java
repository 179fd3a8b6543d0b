package io.portcullis.gate;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method, or all methods of a type, that only the leader may run. Where the agent's
 * configuration includes the rule set {@code leader-only}, refused calls of methods without a
 * result are skipped, and those of others throw a {@link NotLeaderException}. Without the agent, or
 * without that rule set, it changes nothing.
 *
 * <p>On an annotation type it marks what that annotation stands on. A method's own mark counts
 * before its type's.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface LeaderOnly {
  /**
   * The election whose leader is meant; may be left out where there is only one. One that the
   * configuration does not have is a weave error: the method can't be gated.
   */
  String election() default "";
}
