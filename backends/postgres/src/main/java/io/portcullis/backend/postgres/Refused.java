package io.portcullis.backend.postgres;

/**
 * This server or session can't be used as it is. The message is a sentence for the operator; what
 * was asked has not happened.
 */
final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  Refused(String sentence) {
    super(sentence);
  }
}
