package io.portcullis.rules.template;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Annotations for template parameters; the weaver replaces each parameter with a rule's value. */
public interface TemplateParameter {

  /** Constant: whether the rule interrupts threads inside gated calls. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface Interrupt {}

  /** Constant: whether the rule checks the gate again when a call ends. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface Recheck {}

  /** Constant: whether HTTP clients are redirected to the leader. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface Redirect {}

  /** Constant string: value of the Retry-After header, in seconds. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface RetryAfter {}

  /** Constant: slot of the rule's checkpoint. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface Slot {}

  /**
   * Result or exception of a refused call. Each read creates a new one, with code in the woven
   * method.
   */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface RefusedCall {}
}
