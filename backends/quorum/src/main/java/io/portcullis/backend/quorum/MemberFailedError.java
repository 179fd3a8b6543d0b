package io.portcullis.backend.quorum;

/**
 * A bug has ended this member. No answer will ever come, so whoever asks is to end too and be seen
 * to: an error, since that is what is not taken for a store that can't be reached.
 */
final class MemberFailedError extends Error {
  private static final long serialVersionUID = 1L;

  MemberFailedError(Throwable bug) {
    super("this member of the quorum was ended by a bug", bug);
  }
}
