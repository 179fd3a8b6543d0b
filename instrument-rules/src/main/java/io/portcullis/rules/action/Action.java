package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.rules.classfile.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;

/**
 * What becomes of refused calls. An action is one class, and one line in {@link Actions}.
 *
 * <p>It has two halves that fit together: the refusal, which the gate calls, and the form in which
 * a method is woven, which carries out what the refusal can't do from outside the method.
 */
public interface Action {
  /** The action for people, such as {@code throw com.acme.Standby}. */
  String text();

  /** What the gate does when it refuses. */
  Refusal refusal();

  /** Whether the caller of a method may meet an exception if refused, be it after a while. */
  default boolean mayThrow(MethodShape method) {
    return false;
  }

  /** Whether the refusal waits by itself, so that no other wait need come before it. */
  default boolean waits() {
    return false;
  }

  /**
   * Whether calls can be refused at all. Where they can't, a method that can't be woven is no
   * danger: it does what it always did.
   */
  default boolean gates() {
    return true;
  }

  /** Whether a method that the rule's pattern means is meant by the action too. */
  default boolean means(ClassShape declaring, MethodShape method, ClassFiles classFiles) {
    return true;
  }

  /**
   * Whether constructors can be gated so, whatever they are like.
   *
   * @throws CannotGateException if not
   */
  void checkForConstructors() throws CannotGateException;

  /**
   * How a method or constructor is woven.
   *
   * @throws CannotGateException if this action can't be carried out there
   */
  WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException;

  /** An action can't be carried out in a method. The message says why, and names a remedy. */
  public static final class CannotGateException extends Exception {
    private static final long serialVersionUID = 1;

    public CannotGateException(String message) {
      super(message);
    }
  }
}
