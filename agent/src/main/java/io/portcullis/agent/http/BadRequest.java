package io.portcullis.agent.http;

/** A request that can't be understood or is too big. Nothing after it on its connection counts. */
final class BadRequest extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  BadRequest(int status, String why) {
    super(why, null, false, false);
    this.status = status;
  }

  Reply reply() {
    return Reply.json(status, Json.error(String.valueOf(getMessage())));
  }
}
