package io.portcullis.gate;

/**
 * Helper for woven servlets and filters: detects exceptions which report that this node does not
 * lead, and supplies the response for the client.
 */
public final class HttpRefusal {
  /** Response header with the identity of the leader. */
  public static final String LEADER_HEADER = "X-Portcullis-Leader";

  /** Maximum number of causes to follow; the causes of an exception may form a cycle. */
  private static final int MAX_CAUSE_DEPTH = 32;

  private HttpRefusal() {}

  /** The refusal that is the exception or one of its causes; null if there is none. */
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
   * URL of the same request at the leader; null if that is unknown, or not an HTTP address.
   *
   * @param path as requested, not decoded
   * @param query as requested, not decoded; null if there was none
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
