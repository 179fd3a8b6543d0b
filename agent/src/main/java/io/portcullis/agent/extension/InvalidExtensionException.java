package io.portcullis.agent.extension;

/**
 * A jar can't be an extension. The message is a part of a sentence: why, and what would be right.
 */
public final class InvalidExtensionException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidExtensionException(String why) {
    super(why);
  }

  /** Why. */
  public String why() {
    return String.valueOf(getMessage());
  }
}
