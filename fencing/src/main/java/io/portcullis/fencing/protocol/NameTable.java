package io.portcullis.fencing.protocol;

import io.portcullis.gate.sql.SqlEffect;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps the names of the driver's prepared statements, or portals, to their classified SQL. */
final class NameTable {
  private static final int MAX_COUNT = 10_000;

  private final Map<Name, PreparedText> texts = new HashMap<>();
  private final Name probe = new Name();
  private @Nullable PreparedText unnamed;

  /** The name that was looked up last, and its entry. */
  private byte[] lastName = {};

  private @Nullable PreparedText last;

  /** A name's bytes. Mutable, so that lookups can reuse one instance. */
  private static final class Name {
    private byte[] bytes = new byte[0];
    private int from;
    private int to;

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Name name
          && Arrays.equals(bytes, from, to, name.bytes, name.from, name.to);
    }

    @Override
    public int hashCode() {
      int hash = 1;
      for (int i = from; i < to; i++) {
        hash = 31 * hash + bytes[i];
      }
      return hash;
    }

    Name at(byte[] array, int start, int end) {
      bytes = array;
      from = start;
      to = end;
      return this;
    }
  }

  void put(byte[] bytes, int from, int to, PreparedText text) {
    if (from == to) {
      unnamed = text;
      return;
    }
    last = null;
    if (texts.size() >= MAX_COUNT) {
      texts.clear();
    }
    texts.put(new Name().at(Arrays.copyOfRange(bytes, from, to), 0, to - from), text);
  }

  /** Null if the name is unknown. */
  @Nullable PreparedText find(byte[] bytes, int from, int to) {
    if (from == to) {
      return unnamed;
    }
    if (last == null || !Arrays.equals(lastName, 0, lastName.length, bytes, from, to)) {
      last = texts.get(probe.at(bytes, from, to));
      lastName = Arrays.copyOfRange(bytes, from, to);
    }
    return last;
  }

  void forget(byte[] bytes, int from, int to) {
    if (from == to) {
      unnamed = null;
    } else {
      last = null;
      texts.remove(probe.at(bytes, from, to));
    }
  }

  /** Forgets all but the unnamed entry, which is replaced before it is used. */
  void forgetNamed() {
    last = null;
    if (!texts.isEmpty()) {
      texts.clear();
    }
  }

  void forgetAll() {
    unnamed = null;
    forgetNamed();
  }

  /**
   * Classified SQL of a prepared statement or portal. Until the server has confirmed it, the entry
   * is valid only within the group in which it was sent, because the server skips the rest of a
   * group after a failure.
   */
  static final class PreparedText {
    /** An unknown statement may write, and may also end a transaction or a part of it. */
    static final SqlEffect UNKNOWN = SqlEffect.WRITE_THEN_END;

    private final SqlEffect verdict;
    private final long group;
    private boolean confirmed;
    private boolean failed;

    PreparedText(SqlEffect verdict, long group) {
      this.verdict = verdict;
      this.group = group;
    }

    /** The effect to assume for a message that is sent in the group {@code now}. */
    SqlEffect verdict(long now) {
      return !failed && (confirmed || group == now) ? verdict : UNKNOWN;
    }

    /** Called when the server has accepted it. */
    void confirm() {
      confirmed = true;
    }

    /** Called when the server has rejected it, so the name may still have its previous meaning. */
    void fail() {
      failed = true;
    }
  }
}
