package io.portcullis.backend.redis;

/** A server's answer that it won't: nothing was changed, and the connection is sound. */
final class RedisErrorException extends Exception {
  private static final long serialVersionUID = 1;

  RedisErrorException(String said) {
    super(said, null, false, false);
  }
}
