package io.portcullis.fencing.wire;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The first messages of a line, which have no type. */
record Greeting(What what, @Nullable String database) {
  enum What {
    TLS_REQUEST,
    GSS_REQUEST,
    CANCEL,
    SESSION,
    REPLICATION
  }

  private static final int MOST_BYTES = 1 << 16;
  private static final int CODE_AT = 4;
  private static final int PARAMETERS_AT = 8;
  private static final int TLS_CODE = 80877103;
  private static final int GSS_CODE = 80877104;
  private static final int CANCEL_CODE = 80877102;
  private static final int VERSION = 3;

  /** The length that it says to have. */
  static int length(byte[] bytes) throws Surprise {
    int length = Bytes.intAt(bytes, 0);
    if (length < PARAMETERS_AT || length > MOST_BYTES) {
      throw new Surprise("the driver does not begin as the protocol says.");
    }
    return length;
  }

  static Greeting read(byte[] bytes, int length) throws Surprise {
    int code = Bytes.intAt(bytes, CODE_AT);
    if (code == TLS_CODE) {
      return new Greeting(What.TLS_REQUEST, null);
    }
    if (code == GSS_CODE) {
      return new Greeting(What.GSS_REQUEST, null);
    }
    if (code == CANCEL_CODE) {
      return new Greeting(What.CANCEL, null);
    }
    if (code >> 16 != VERSION) {
      throw new Surprise("the driver speaks a version of the protocol that is not known.");
    }
    return session(bytes, length);
  }

  private static Greeting session(byte[] bytes, int length) throws Surprise {
    String user = "";
    String database = "";
    boolean replication = false;
    int at = PARAMETERS_AT;
    while (at < length && bytes[at] != 0) {
      int nameEnd = Bytes.endOfText(bytes, at, length);
      int valueEnd = Bytes.endOfText(bytes, nameEnd + 1, length);
      String value = new String(bytes, nameEnd + 1, valueEnd - nameEnd - 1, StandardCharsets.UTF_8);
      switch (new String(bytes, at, nameEnd - at, StandardCharsets.UTF_8)) {
        case "user" -> user = value;
        case "database" -> database = value;
        case "replication" -> replication = isOn(value);
        default -> {
          // Of no concern here.
        }
      }
      at = valueEnd + 1;
    }
    String name = database.isEmpty() ? user : database;
    return new Greeting(replication ? What.REPLICATION : What.SESSION, name);
  }

  private static boolean isOn(String value) {
    return !value.isEmpty()
        && !value.equalsIgnoreCase("false")
        && !value.equalsIgnoreCase("off")
        && !value.equalsIgnoreCase("no")
        && !value.equals("0");
  }
}
