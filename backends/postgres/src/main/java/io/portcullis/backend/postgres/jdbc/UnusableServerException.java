package io.portcullis.backend.postgres.jdbc;

/**
 * Thrown if a server or session can't be used. The message names the required change. The requested
 * operation was not executed.
 */
public class UnusableServerException extends Exception {
  private static final long serialVersionUID = 1;

  /** Creates an exception with a message for the operator. */
  public UnusableServerException(String sentence) {
    super(sentence);
  }

  /** Thrown if the server is in recovery. */
  public static final class InRecoveryException extends UnusableServerException {
    private static final long serialVersionUID = 1;

    /** Creates the exception with its message. */
    public InRecoveryException() {
      super("is in recovery: only a primary can be fenced. Set the url to the primary");
    }
  }

  /** Thrown if the statements of one session reach different backends. */
  public static final class PooledConnectionException extends UnusableServerException {
    private static final long serialVersionUID = 1;

    /** Creates the exception with its message. */
    public PooledConnectionException() {
      super(
          "the statements of one session reach different backends: the connection goes through a"
              + " transaction pooler, such as PgBouncer with pool_mode = transaction. A lock taken"
              + " through it does not belong to one session. Set postgres.url to Postgres itself,"
              + " or to a PgBouncer database with pool_mode = session, and restart this node");
    }
  }
}
