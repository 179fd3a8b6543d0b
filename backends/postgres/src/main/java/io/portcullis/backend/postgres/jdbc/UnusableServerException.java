package io.portcullis.backend.postgres.jdbc;

/**
 * This server or session can't be used as it is. The message is a sentence for the operator; what
 * was asked has not happened.
 */
public class UnusableServerException extends Exception {
  private static final long serialVersionUID = 1;

  /** With a sentence. */
  public UnusableServerException(String sentence) {
    super(sentence);
  }

  /** The server is in recovery. */
  public static final class InRecoveryException extends UnusableServerException {
    private static final long serialVersionUID = 1;

    /** Says what to name instead. */
    public InRecoveryException() {
      super("is in recovery: only a primary can be fenced. Name it in the url");
    }
  }

  /** The statements of one session reach different backends. */
  public static final class PooledConnectionException extends UnusableServerException {
    private static final long serialVersionUID = 1;

    /** Says what to name instead. */
    public PooledConnectionException() {
      super(
          "the statements of one session reach different backends: a pooler that lends them for a"
              + " transaction stands between, such as PgBouncer with pool_mode = transaction. A"
              + " lock taken through it belongs to anybody. Name Postgres itself in postgres.url,"
              + " or a PgBouncer database with pool_mode = session, and start this node again");
    }
  }
}
