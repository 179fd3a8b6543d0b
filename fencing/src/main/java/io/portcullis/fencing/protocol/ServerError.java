package io.portcullis.fencing.protocol;

import java.nio.charset.StandardCharsets;

/** Reads the server's errors. */
final class ServerError {
  /** As the check raises them; see the functions' definition. */
  static final String STALE = "PCF01";

  static final String FORGOTTEN = "PCF02";
  static final String READ_ONLY = "25006";
  private static final String NO_SUCH_STATEMENT = "26000";
  private static final String STATEMENT_EXISTS = "42P05";

  private static final int STATE_LENGTH = 5;

  private ServerError() {}

  /** The SQLSTATE of the error whose fields begin here; empty if it is not among the first. */
  static String state(byte[] bytes, int from, int limit) {
    int at = from;
    while (at < limit && bytes[at] != 0) {
      if (bytes[at] == 'C' && at + STATE_LENGTH < limit) {
        return new String(bytes, at + 1, STATE_LENGTH, StandardCharsets.US_ASCII);
      }
      do {
        at++;
      } while (at < limit && bytes[at] != 0);
      at++;
    }
    return "";
  }

  static boolean isRefusal(String state) {
    return state.equals(STALE) || state.equals(FORGOTTEN);
  }

  /** Whether sessions have been changed since a statement was prepared. */
  static boolean isLostStatement(String state) {
    return state.equals(NO_SUCH_STATEMENT) || state.equals(STATEMENT_EXISTS);
  }
}
