package io.portcullis.fencing.protocol;

/** A text of ours that is sent by itself, and how the server answered it. */
final class OwnQuery {
  private final boolean letsGo;
  private boolean over;
  private boolean refused;
  private boolean empty;

  private OwnQuery(boolean letsGo) {
    this.letsGo = letsGo;
  }

  /** One before a message of the driver's, who is given the failure if there is one. */
  static OwnQuery before() {
    return new OwnQuery(false);
  }

  /** The one that lets go of the fence after a message of the driver's, who waits for it. */
  static OwnQuery after() {
    return new OwnQuery(true);
  }

  boolean letsGo() {
    return letsGo;
  }

  boolean isOver() {
    return over;
  }

  /** The server answered by an error, which was handed on together with its being ready. */
  boolean isRefused() {
    return refused;
  }

  /** The server answered without a row. */
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

  /**
   * Marks a query before whose text another was put, so that its first result is not the driver's.
   */
  enum QueryPrefix {
    CHECK
  }

  /**
   * Marks what is sent in place of a {@code BEGIN} that the driver sent as a query of its own. It
   * travels with the comparison and the statement that follow, so that the server answers all of
   * them at once; the driver is told what it expects.
   */
  enum DeferredBegin {
    MARKER;

    private static final String NAME = "portcullis_begin";

    /** Closing what is not there is no error, preparing what is there would be. */
    static final byte[] CLOSE_STATEMENT = new ByteBuilder().addClose('S', NAME).copy();

    static final byte[] PARSE = new ByteBuilder().addParse(NAME, "BEGIN").copy();
    static final byte[] BIND = new ByteBuilder().addBind("", NAME).copy();
    static final byte[] EXECUTE = new ByteBuilder().addExecute("").copy();

    /** As the driver sent it. */
    static final byte[] QUERY = query();

    private static byte[] query() {
      ByteBuilder message = new ByteBuilder();
      int mark = message.begin('Q');
      message.addText("BEGIN");
      message.end(mark);
      return message.copy();
    }

    /** Whether the driver's text is this and nothing else. */
    static boolean isText(byte[] bytes, int from, int to) {
      return to - from == 5
          && bytes[from] == 'B'
          && bytes[from + 1] == 'E'
          && bytes[from + 2] == 'G'
          && bytes[from + 3] == 'I'
          && bytes[from + 4] == 'N';
    }

    /** What the server answers to it where it is a query. */
    static void addReply(ByteBuilder to) {
      int mark = to.begin('C');
      to.addText("BEGIN");
      to.end(mark);
      to.add('Z').addInt(Integer.BYTES + 1).add('T');
    }
  }
}
