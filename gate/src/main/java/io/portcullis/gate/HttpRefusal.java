package io.portcullis.gate;

/**
 * Helper for woven servlets, filters and HTTP responses: detects requests that failed because this
 * node does not lead, and supplies the response for the client.
 */
public final class HttpRefusal {
  /** Response header with the identity of the leader. */
  public static final String LEADER_HEADER = "X-Portcullis-Leader";

  /** Logged with an exception of the application that a client does not see. */
  public static final String HIDDEN_EXCEPTION =
      "Portcullis: the gate refused a call of this request, so the response is that of a node that"
          + " does not lead, and not that for this exception:";

  /** The lowest status of responses for which the server is responsible. */
  private static final int FIRST_SERVER_ERROR = 500;

  private static final int LAST_SERVER_ERROR = 599;

  /** Maximum number of causes to follow; the causes of an exception may form a cycle. */
  private static final int MAX_CAUSE_DEPTH = 32;

  private HttpRefusal() {}

  /**
   * Must be called when a woven servlet or filter is entered. Costs one look-up of a thread-local
   * variable.
   *
   * @return what {@link #leave} needs
   */
  public static int enter() {
    return RequestRefusals.enter();
  }

  /**
   * Must be called when a woven servlet or filter ends, normally or not.
   *
   * @param outer what {@link #enter} has returned
   * @param thrown what it threw; null if it ended normally
   * @return why the request has failed, if it has: the refusal that is thrown; and in the outermost
   *     servlet or filter the last refusal during the request, unless an {@code Error} is thrown.
   *     Null if no call was refused
   */
  public static @Nullable NotLeaderException leave(int outer, @Nullable Throwable thrown) {
    ElectionGate refusedBy = RequestRefusals.leave(outer);
    NotLeaderException refused = in(thrown);
    if (refused != null || refusedBy == null || thrown instanceof Error) {
      return refused;
    }
    return refusedBy.notLeader();
  }

  /**
   * Whether this status, which the application is setting, has to become 503.
   *
   * @return the last refusal during the request that this thread serves, if the status is a server
   *     error; else null
   */
  public static @Nullable NotLeaderException behind(int status) {
    if (status < FIRST_SERVER_ERROR || status > LAST_SERVER_ERROR) {
      return null;
    }
    ElectionGate refusedBy = RequestRefusals.refusedBy();
    return refusedBy == null ? null : refusedBy.notLeader();
  }

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
