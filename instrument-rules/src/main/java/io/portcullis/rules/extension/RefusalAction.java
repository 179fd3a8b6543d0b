package io.portcullis.rules.extension;

import io.portcullis.gate.NotLeaderException;
import org.jspecify.annotations.Nullable;

/**
 * Action of an extension: decides what the caller of a refused call gets. It is found through
 * {@link java.util.ServiceLoader} in the extension's jar; one object serves all rules that name it.
 */
public interface RefusalAction {

  /** The name that a rule uses to select the action. */
  String name();

  /**
   * Whether {@link #answer} has a result that such a method can return. Called when the method is
   * woven, and by {@code check}. If it returns false for a method that a rule matches, the method
   * can't be gated, which is a weave error.
   */
  boolean canAnswer(RefusedMethod method);

  /**
   * Returns the result of one refused call. Exceptions are passed on to the caller.
   *
   * @param refused names the current leader; throwing it is always allowed
   * @return the method's result: boxed if it is a primitive, otherwise null or an object of a JDK
   *     type; ignored if the method is void
   */
  @Nullable Object answer(RefusedMethod method, NotLeaderException refused);
}
