package io.portcullis.rules.template;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Annotations for parameters of templates. The weaver replaces each by a constant of the rule. */
public interface TemplateParameter {

  /** In a template: whether the rule interrupts threads inside, which becomes a constant. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface Interrupt {}

  /** In a template: whether the rule rechecks calls as they end, which becomes a constant. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface Recheck {}

  /** In a template: whether a client is sent to the leader, as a constant. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface Redirect {}

  /** In a template: after how many seconds a client may ask again, as a constant text. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface RetryAfter {}

  /** In a template: the number of the rule's checkpoint, which becomes a constant. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface Slot {}

  /**
   * In a template: the answer for a refused call. Each reading makes a new one, by code of the
   * woven method.
   */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface RefusedCall {}
}
