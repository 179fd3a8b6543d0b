package io.portcullis.agent.cli.remote;

import org.jspecify.annotations.Nullable;

/** A node could not be asked, or did not answer as an agent does. */
final class NodeUnreachableException extends Exception {
  private static final long serialVersionUID = 1L;

  NodeUnreachableException(String what, @Nullable Throwable cause) {
    super(what, cause);
  }

  /** The sentence for people. */
  String what() {
    return String.valueOf(getMessage());
  }
}
