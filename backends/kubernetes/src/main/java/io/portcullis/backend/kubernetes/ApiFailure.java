package io.portcullis.backend.kubernetes;

/** A request that got no answer. It may have taken effect all the same. */
final class ApiFailure extends Exception {
  private static final long serialVersionUID = 1;

  ApiFailure(String sentence) {
    super(sentence);
  }
}
