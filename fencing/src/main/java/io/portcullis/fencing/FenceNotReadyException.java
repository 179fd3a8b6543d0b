package io.portcullis.fencing;

/** Writes to a fenced database are refused, because nobody knows yet how to check them there. */
public final class FenceNotReadyException extends Exception {
  private static final long serialVersionUID = 1;

  /** With a sentence that names what is missing and the remedy. */
  public FenceNotReadyException(String why) {
    super(why);
  }
}
