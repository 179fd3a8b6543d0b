package io.portcullis.fencing.protocol;

/**
 * Reason why the fence refuses a statement without asking the server.
 *
 * <p>Invalid SQL is sent to the server in place of the statement, so that the server fails and
 * rolls back as after any other error; the driver receives the real reason.
 */
record FenceRefusal(String state, String why) {
  /** SQLSTATE of statements that the fence refuses. */
  static final String STATE = "PCF03";

  /** The server's own SQLSTATE for a write in a read-only transaction. */
  private static final String READ_ONLY = "25006";

  private static final String UNREADABLE = "portcullis refused a statement here";
  private static final String STATEMENT = "portcullis_refused";

  static final FenceRefusal TWO_PHASE =
      new FenceRefusal(
          "Two-phase commit can't be fenced: the fence does not see how a prepared transaction"
              + " ends. Use a data source without XA for this database, or remove the database"
              + " from the fence's match.");
  static final FenceRefusal MIXED =
      new FenceRefusal(
          "SQL that begins or ends a transaction and then may write can't be fenced. Send the"
              + " statements one by one.");
  static final FenceRefusal NOT_ALONE =
      new FenceRefusal(
          "A statement that may commit internally, such as CALL, DO or VACUUM, can't be fenced"
              + " together with others outside a transaction. Send it by itself.");
  static final FenceRefusal POOLER =
      new FenceRefusal(
          "A statement that may commit internally, such as CALL, DO or VACUUM, can't be fenced"
              + " through a pooler outside a transaction. Send it in a transaction, or connect"
              + " directly.");
  static final FenceRefusal FUNCTION_CALL =
      new FenceRefusal(
          "A fast-path function call, as used for large objects, can't be fenced outside a"
              + " transaction. Switch autocommit off.");

  static final FenceRefusal IN_RECOVERY =
      new FenceRefusal(
          READ_ONLY,
          "The server is in recovery and read-only. Send statements that may write to the"
              + " primary.");

  private FenceRefusal(String why) {
    this(STATE, why);
  }

  static FenceRefusal notReady(String why) {
    return new FenceRefusal(why);
  }

  /** Appends the failing message that replaces one of the extended protocol. */
  static void parseInPlace(ByteBuilder to) {
    to.addParse(STATEMENT, UNREADABLE);
  }

  /** Appends the failing message that replaces a query. */
  static void queryInPlace(ByteBuilder to) {
    int mark = to.begin('Q');
    to.addText(UNREADABLE);
    to.end(mark);
  }

  /** Appends the error that the driver receives. */
  void addErrorResponse(ByteBuilder to) {
    int mark = to.begin('E');
    to.add('S').addText("ERROR").add('V').addText("ERROR");
    to.add('C').addText(state).add('M').addText(why).add(0);
    to.end(mark);
  }
}
