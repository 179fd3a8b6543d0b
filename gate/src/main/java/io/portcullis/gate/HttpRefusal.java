package io.portcullis.gate;

/**
 * What woven servlets and filters ask about an exception that leaves them: whether it tells that
 * this node does not lead, and what the client is to hear then.
 */
public final class HttpRefusal {
  /** Tells a client who leads. */
  public static final String LEADER_HEADER = "X-Portcullis-Leader";

  /** How far down the causes of an exception are followed: they may go in a circle. */
  private static final int MAX_CAUSE_DEPTH = 32;

  private HttpRefusal() {}

  /** The refusal that the exception is, or has among its causes; null if there is none. */
  public static @Nullable NotLeaderException in(@Nullable Throwable thrown) {
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < MAX_CAUSE_DEPTH; depth++) {
      if (cause instanceof NotLeaderException refused) {
        return refused;
      }
      cause = cause.getCause();
    }
    return null;
  }

  /**
   * Where the leader serves the same request; null if that is unknown, or no address for HTTP.
   *
   * @param path as it was asked for, not decoded
   * @param query as it was asked for, not decoded; null if there was none
   */
  public static @Nullable String atLeader(
      NotLeaderException refused, String path, @Nullable String query) {
    String address = refused.leaderAddress();
    if (address == null || !(address.startsWith("http://") || address.startsWith("https://"))) {
      return null;
    }
    String base = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    return base + path + (query == null ? "" : "?" + query);
  }
}
