package io.portcullis.fencing.protocol;

/** The messages that the server answers, by what it answers to them. */
enum MessageKind {
  PARSE(false),
  BIND(false),
  CLOSE(false),
  DESCRIBE_STATEMENT(false),
  DESCRIBE(false),
  EXECUTE(false),
  SYNC(false),
  QUERY(false),
  FUNCTION(false),
  OUR_PARSE(true),
  OUR_BIND(true),
  OUR_CLOSE(true),
  OUR_EXECUTE(true),
  /** A statement that surely fails, in place of one that is refused. */
  OUR_REFUSAL(true),
  /** A text of ours that is sent and answered by itself. */
  OUR_QUERY(true);

  private final boolean ours;

  MessageKind(boolean ours) {
    this.ours = ours;
  }

  /** Whether the driver knows nothing of it. */
  boolean isOurs() {
    return ours;
  }

  /** Whether it ends with the server's being ready, and so a group of messages. */
  boolean endsGroup() {
    return this == SYNC || this == QUERY || this == FUNCTION || this == OUR_QUERY;
  }
}
