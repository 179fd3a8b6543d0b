package io.portcullis.fencing.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * Distinguishes commands of the streaming replication protocol from SQL, in a session that asked
 * for replication.
 *
 * <p>Such a session accepts both, as queries of the simple protocol. A replication command changes
 * no row: it streams changes, or changes replication slots. It is sent unchanged, also on a node
 * that does not lead, so that consumers of a change stream work on every node. It can't be sent
 * after an epoch check either, since the server parses a query as a command only if its first word
 * is one. For the same reason no query that is recognized as a command here can write: none of
 * these words begins an SQL statement, so the server parses the query as one command, or refuses
 * it.
 */
final class ReplicationCommand {
  /** Without SHOW, which is also SQL and is classified as such. */
  private static final Set<String> WORDS =
      Set.of(
          "IDENTIFY_SYSTEM",
          "BASE_BACKUP",
          "START_REPLICATION",
          "CREATE_REPLICATION_SLOT",
          "ALTER_REPLICATION_SLOT",
          "DROP_REPLICATION_SLOT",
          "READ_REPLICATION_SLOT",
          "TIMELINE_HISTORY",
          "UPLOAD_MANIFEST");

  private static final int MAX_WORD_BYTES = 32;

  private ReplicationCommand() {}

  /** Whether the query starts with a replication command. */
  static boolean matches(byte[] bytes, int from, int end) {
    int start = from;
    while (start < end && isSpace(bytes[start])) {
      start++;
    }
    int wordEnd = start;
    while (wordEnd < end && isOfWord(bytes[wordEnd])) {
      wordEnd++;
    }
    int length = wordEnd - start;
    return length <= MAX_WORD_BYTES
        && WORDS.contains(
            new String(bytes, start, length, StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT));
  }

  private static boolean isSpace(byte each) {
    return each == ' ' || each == '\t' || each == '\n' || each == '\r' || each == '\f';
  }

  /** Bytes that can be part of an identifier, so that no prefix of a longer word matches. */
  private static boolean isOfWord(byte each) {
    return each == '_' || each == '$' || each < 0 || Character.isLetterOrDigit(each);
  }
}
