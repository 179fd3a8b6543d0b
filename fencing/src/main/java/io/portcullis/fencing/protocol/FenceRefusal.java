package io.portcullis.fencing.protocol;

/**
 * Why a statement is refused here, without asking the server.
 *
 * <p>The server is sent a text in its place that it can't read, so that it fails and rolls back as
 * after any other error; the driver is told the real reason.
 */
record FenceRefusal(String state, String why) {
  /** The SQLSTATE of what is refused here. */
  static final String STATE = "PCF03";

  /** The server's own SQLSTATE for a write in a read-only transaction. */
  private static final String READ_ONLY = "25006";

  private static final String UNREADABLE = "portcullis refused a statement here";
  private static final String STATEMENT = "portcullis_refused";

  static final FenceRefusal TWO_PHASE =
      new FenceRefusal(
          "Two-phase commit can't be fenced: a prepared transaction is finished out of the fence's"
              + " sight. Use a data source without XA for this database, or take it out of the"
              + " fence's match.");
  static final FenceRefusal MIXED =
      new FenceRefusal(
          "A text that begins or ends a transaction and then may write can't be fenced. Send the"
              + " statements one by one.");
  static final FenceRefusal NOT_ALONE =
      new FenceRefusal(
          "A statement that may commit within, such as CALL, DO or VACUUM, can't be fenced together"
              + " with others outside of a transaction. Send it by itself.");
  static final FenceRefusal POOLER =
      new FenceRefusal(
          "A statement that may commit within, such as CALL, DO or VACUUM, can't be fenced through"
              + " a pooler outside of a transaction. Send it in a transaction, or connect"
              + " directly.");
  static final FenceRefusal FUNCTION_CALL =
      new FenceRefusal(
          "A fast-path function call, by which large objects are used, can't be fenced outside of a"
              + " transaction. Switch autocommit off.");

  static final FenceRefusal IN_RECOVERY =
      new FenceRefusal(
          READ_ONLY,
          "The server is in recovery, where nothing can be written. Send what may write to the"
              + " primary.");

  private FenceRefusal(String why) {
    this(STATE, why);
  }

  static FenceRefusal notReady(String why) {
    return new FenceRefusal(why);
  }

  /** The message that fails in place of one of the extended protocol. */
  static void parseInPlace(ByteBuilder to) {
    to.addParse(STATEMENT, UNREADABLE);
  }

  /** The message that fails in place of a query. */
  static void queryInPlace(ByteBuilder to) {
    int mark = to.begin('Q');
    to.addText(UNREADABLE);
    to.end(mark);
  }

  /** What the driver is told. */
  void addErrorResponse(ByteBuilder to) {
    int mark = to.begin('E');
    to.add('S').addText("ERROR").add('V').addText("ERROR");
    to.add('C').addText(state).add('M').addText(why).add(0);
    to.end(mark);
  }
}
