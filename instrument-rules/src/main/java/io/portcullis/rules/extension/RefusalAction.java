package io.portcullis.rules.extension;

import io.portcullis.gate.NotLeaderException;
import org.jspecify.annotations.Nullable;

/**
 * An action of an extension's: decides what the caller of a refused call gets. Found by {@link
 * java.util.ServiceLoader} in the extension's jar; one object serves all rules that name it.
 */
public interface RefusalAction {

  /** The name by which a rule chooses it. */
  String name();

  /**
   * Whether {@link #answer} has an answer that such a method can return. Asked when the method is
   * woven, and by {@code check}. A method that a rule means and that gets a no here can't be gated,
   * which is a weave error.
   */
  boolean canAnswer(RefusedMethod method);

  /**
   * Answers one refused call. What it throws, the caller meets.
   *
   * @param refused tells who leads; throwing it is always right
   * @return what the method returns: in its box where that is a primitive, null or an object of a
   *     type of the JDK otherwise; ignored where the method is void
   */
  @Nullable Object answer(RefusedMethod method, NotLeaderException refused);
}
