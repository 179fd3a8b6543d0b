package io.portcullis.agent.http;

/** A request that can't be understood or is too big. Nothing after it on its connection counts. */
final class BadRequestException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  BadRequestException(int status, String why) {
    super(why, null, false, false);
    this.status = status;
  }

  HttpResponse reply() {
    return HttpResponse.json(status, StatusJson.error(String.valueOf(getMessage())));
  }
}
