package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;

/**
 * Decides what a refused call does. An action is one class, and its name and case in {@link
 * Actions}.
 *
 * <p>It has two parts that belong together: the refusal, which the gate calls, and the form in
 * which a method is woven, which does what the refusal can't do from outside the method.
 */
public interface Action {
  /** Text for status and messages, such as {@code throw com.acme.Standby}. */
  String text();

  /** What the gate does when it refuses. */
  Refusal refusal();

  /** Whether a refused call may end in an exception, at once or after a wait. */
  default boolean mayThrow(MethodShape method) {
    return false;
  }

  /** Whether the refusal itself waits, so that no other wait is needed before it. */
  default boolean waits() {
    return false;
  }

  /**
   * Whether calls can be refused at all. If not, a method that can't be woven is no danger: it
   * behaves as without the agent.
   */
  default boolean gates() {
    return true;
  }

  /** Whether the action applies to a method that the rule's pattern matches. */
  default boolean means(ClassShape declaring, MethodShape method, ClassFiles classFiles) {
    return true;
  }

  /**
   * Checks whether this action can gate constructors at all.
   *
   * @throws CannotGateException if not
   */
  void checkForConstructors() throws CannotGateException;

  /**
   * How a method or constructor is woven.
   *
   * @throws CannotGateException if this action can't be applied to it
   */
  WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException;

  /** Thrown if an action can't be applied to a method. The message has the reason and a fix. */
  public static final class CannotGateException extends Exception {
    private static final long serialVersionUID = 1;

    public CannotGateException(String message) {
      super(message);
    }
  }
}
