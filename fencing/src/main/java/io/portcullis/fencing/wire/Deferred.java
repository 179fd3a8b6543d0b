package io.portcullis.fencing.wire;

/**
 * Marks what is sent in place of a {@code BEGIN} that the driver sent as a query of its own. It
 * travels with the comparison and the statement that follow, so that the server answers all of them
 * at once; the driver is told what it expects.
 */
enum Deferred {
  BEGIN;

  private static final String NAME = "portcullis_begin";

  /** Closing what is not there is no error, preparing what is there would be. */
  static final byte[] CLOSE_STATEMENT = new Bytes().addClose('S', NAME).copy();

  static final byte[] PARSE = new Bytes().addParse(NAME, "BEGIN").copy();
  static final byte[] BIND = new Bytes().addBind("", NAME).copy();
  static final byte[] EXECUTE = new Bytes().addExecute("").copy();

  /** As the driver sent it. */
  static final byte[] QUERY = query();

  private static byte[] query() {
    Bytes message = new Bytes();
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
  static void tell(Bytes to) {
    int mark = to.begin('C');
    to.addText("BEGIN");
    to.end(mark);
    to.add('Z').addInt(Integer.BYTES + 1).add('T');
  }
}
