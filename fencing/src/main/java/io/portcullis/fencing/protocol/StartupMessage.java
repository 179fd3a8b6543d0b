package io.portcullis.fencing.protocol;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A first message of a connection, which has no type byte.
 *
 * @param database the database of the session, null for other types
 * @param replication whether the replication parameter is set, with any value; the server
 *     interprets the value
 */
record StartupMessage(Type type, @Nullable String database, boolean replication) {
  enum Type {
    TLS_REQUEST,
    GSS_REQUEST,
    CANCEL,
    SESSION
  }

  private static final int MAX_BYTES = 1 << 16;
  private static final int CODE_AT = 4;
  private static final int PARAMETERS_AT = 8;
  private static final int TLS_CODE = 80877103;
  private static final int GSS_CODE = 80877104;
  private static final int CANCEL_CODE = 80877102;
  private static final int VERSION = 3;

  /** The length that the message declares. */
  static int length(byte[] bytes) throws ProtocolViolationException {
    int length = ByteBuilder.intAt(bytes, 0);
    if (length < PARAMETERS_AT || length > MAX_BYTES) {
      throw new ProtocolViolationException("the driver's first message has an invalid length.");
    }
    return length;
  }

  static StartupMessage read(byte[] bytes, int length) throws ProtocolViolationException {
    int code = ByteBuilder.intAt(bytes, CODE_AT);
    if (code == TLS_CODE) {
      return new StartupMessage(Type.TLS_REQUEST, null, false);
    }
    if (code == GSS_CODE) {
      return new StartupMessage(Type.GSS_REQUEST, null, false);
    }
    if (code == CANCEL_CODE) {
      return new StartupMessage(Type.CANCEL, null, false);
    }
    if (code >> 16 != VERSION) {
      throw new ProtocolViolationException(
          "the driver uses an unsupported version of the protocol.");
    }
    return session(bytes, length);
  }

  private static StartupMessage session(byte[] bytes, int length)
      throws ProtocolViolationException {
    String user = "";
    String database = "";
    boolean replication = false;
    int at = PARAMETERS_AT;
    while (at < length && bytes[at] != 0) {
      int nameEnd = ByteBuilder.endOfText(bytes, at, length);
      int valueEnd = ByteBuilder.endOfText(bytes, nameEnd + 1, length);
      String value = new String(bytes, nameEnd + 1, valueEnd - nameEnd - 1, StandardCharsets.UTF_8);
      switch (new String(bytes, at, nameEnd - at, StandardCharsets.UTF_8)) {
        case "user" -> user = value;
        case "database" -> database = value;
        case "replication" -> replication = true;
        default -> {
          // Other parameters do not matter here.
        }
      }
      at = valueEnd + 1;
    }
    String name = database.isEmpty() ? user : database;
    return new StartupMessage(Type.SESSION, name, replication);
  }
}
