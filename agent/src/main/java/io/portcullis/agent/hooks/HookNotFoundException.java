package io.portcullis.agent.hooks;

/** There is no such method to call; the message says why, and what would help. */
final class HookNotFoundException extends Exception {
  private static final long serialVersionUID = 1L;

  HookNotFoundException(String why) {
    super(why);
  }
}
