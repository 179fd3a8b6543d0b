package io.portcullis.rules.action;

/**
 * How a client is told over HTTP that this node does not lead.
 *
 * @param retryAfter after how many seconds it may ask again
 * @param redirect whether it is sent to the leader where its address is known
 */
public record HttpOptions(String retryAfter, boolean redirect) {
  /** For what has nothing to do with HTTP. */
  static final HttpOptions NONE = new HttpOptions("", false);
}
