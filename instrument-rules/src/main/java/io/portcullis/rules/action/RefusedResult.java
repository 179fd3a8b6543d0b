package io.portcullis.rules.action;

import org.jspecify.annotations.Nullable;

/**
 * What a woven method makes for a refused call, to throw it or to return it. Values and names only,
 * so that equal answers share one advice and keep no class from being unloaded.
 */
public sealed interface RefusedResult {
  /** Is thrown, or is the failure of a future. */
  sealed interface Thrown extends RefusedResult {}

  /** The gate's own exception. */
  record NotLeader() implements Thrown {}

  /**
   * An exception of the application's.
   *
   * @param takesMessage whether its constructor takes the message; else it takes nothing
   */
  record OwnException(String internalName, boolean takesMessage) implements Thrown {}

  /** A future that has failed. */
  record FailedFuture(Thrown failure) implements RefusedResult {}

  /** A future that has succeeded. */
  record DoneFuture(Constant result) implements RefusedResult {}

  /**
   * Null, a text, or a value in its box, which is taken out if the method returns a primitive.
   *
   * @param value null, a {@link String}, or of the type that boxes what the method returns
   */
  record Constant(@Nullable Object value) implements RefusedResult {}

  /** What a static method of the JDK without parameters returns. */
  record Empty(String owner, String method, String returnType, boolean onInterface)
      implements RefusedResult {}

  /**
   * What the rule's refusal says, asked for each refused call.
   *
   * @param method how the refusal knows the method
   */
  record ExtensionResult(String method) implements RefusedResult {}

  /** An array of no elements. */
  record EmptyArray(String componentDescriptor) implements RefusedResult {}
}
