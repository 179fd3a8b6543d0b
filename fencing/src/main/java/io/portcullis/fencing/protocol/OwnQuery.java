package io.portcullis.fencing.protocol;

/** State of a query that the fence sends by itself, and the outcome that the server reports. */
final class OwnQuery {
  private final boolean letsGo;
  private boolean over;
  private boolean refused;
  private boolean empty;

  private OwnQuery(boolean letsGo) {
    this.letsGo = letsGo;
  }

  /** A query before a message of the driver; the driver receives the error if it fails. */
  static OwnQuery before() {
    return new OwnQuery(false);
  }

  /** The query that releases the fence after a message of the driver; the driver waits for it. */
  static OwnQuery after() {
    return new OwnQuery(true);
  }

  boolean letsGo() {
    return letsGo;
  }

  boolean isOver() {
    return over;
  }

  /** The server sent an error, which was passed to the driver together with ReadyForQuery. */
  boolean isRefused() {
    return refused;
  }

  /** The server returned no row. */
  boolean isEmpty() {
    return empty;
  }

  void refuse() {
    refused = true;
  }

  void empty() {
    empty = true;
  }

  void end() {
    over = true;
  }

  /** Marks a query whose SQL has a check in front, so that its first result is not the driver's. */
  enum QueryPrefix {
    CHECK
  }

  /**
   * Marks the messages sent in place of a {@code BEGIN} that the driver sent as a separate query.
   * They are sent together with the epoch check and the statement that follow, so that the server
   * responds to all of them at once; the driver receives the response that it expects.
   */
  enum DeferredBegin {
    MARKER;

    private static final String NAME = "portcullis_begin";

    /** Closing a statement that does not exist is no error; preparing an existing one is. */
    static final byte[] CLOSE_STATEMENT = new ByteBuilder().addClose('S', NAME).copy();

    static final byte[] PARSE = new ByteBuilder().addParse(NAME, "BEGIN").copy();
    static final byte[] BIND = new ByteBuilder().addBind("", NAME).copy();
    static final byte[] EXECUTE = new ByteBuilder().addExecute("").copy();

    /** The query exactly as the driver sends it. */
    static final byte[] QUERY = query();

    private static byte[] query() {
      ByteBuilder message = new ByteBuilder();
      int mark = message.begin('Q');
      message.addText("BEGIN");
      message.end(mark);
      return message.copy();
    }

    /** Whether the driver's SQL is exactly {@code BEGIN}. */
    static boolean isText(byte[] bytes, int from, int to) {
      return to - from == 5
          && bytes[from] == 'B'
          && bytes[from + 1] == 'E'
          && bytes[from + 2] == 'G'
          && bytes[from + 3] == 'I'
          && bytes[from + 4] == 'N';
    }

    /** Appends the server's response to {@code BEGIN} sent as a query. */
    static void addReply(ByteBuilder to) {
      int mark = to.begin('C');
      to.addText("BEGIN");
      to.end(mark);
      to.add('Z').addInt(Integer.BYTES + 1).add('T');
    }
  }
}
