package io.portcullis.backend.redis;

/** A server's answer that it won't: nothing was changed, and the connection is sound. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  Refusal(String said) {
    super(said, null, false, false);
  }
}
