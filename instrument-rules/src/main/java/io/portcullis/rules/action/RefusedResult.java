package io.portcullis.rules.action;

import org.jspecify.annotations.Nullable;

/**
 * Result that a woven method throws or returns for a refused call. Consists of values and names
 * only, so equal results share one advice and keep no class from being unloaded.
 */
public sealed interface RefusedResult {
  /** An exception that is thrown, or that a future fails with. */
  sealed interface Thrown extends RefusedResult {}

  /** The gate's own exception. */
  record NotLeader() implements Thrown {}

  /**
   * An exception class of the application.
   *
   * @param takesMessage whether its constructor takes the message; else it takes nothing
   */
  record OwnException(String internalName, boolean takesMessage) implements Thrown {}

  /** A future that has failed. */
  record FailedFuture(Thrown failure) implements RefusedResult {}

  /** A future that has succeeded. */
  record DoneFuture(Constant result) implements RefusedResult {}

  /**
   * Null, a string, or a boxed value, which is unboxed if the method returns a primitive.
   *
   * @param value null, a {@link String}, or of the box type of the method's return type
   */
  record Constant(@Nullable Object value) implements RefusedResult {}

  /** The return value of a static JDK method without parameters. */
  record Empty(String owner, String method, String returnType, boolean onInterface)
      implements RefusedResult {}

  /**
   * A result that the rule's refusal returns for each refused call.
   *
   * @param method identifies the method to the refusal
   */
  record ExtensionResult(String method) implements RefusedResult {}

  record EmptyArray(String componentDescriptor) implements RefusedResult {}
}
