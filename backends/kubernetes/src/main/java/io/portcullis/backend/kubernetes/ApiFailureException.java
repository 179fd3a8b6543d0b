package io.portcullis.backend.kubernetes;

/** A request that got no answer. It may have taken effect all the same. */
final class ApiFailureException extends Exception {
  private static final long serialVersionUID = 1;

  ApiFailureException(String sentence) {
    super(sentence);
  }
}
