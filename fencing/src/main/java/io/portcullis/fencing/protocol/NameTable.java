package io.portcullis.fencing.protocol;

import io.portcullis.gate.sql.SqlEffect;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the names stand for that the driver gave to its statements, or to its portals. */
final class NameTable {
  private static final int MAX_COUNT = 10_000;

  private final Map<Name, PreparedText> texts = new HashMap<>();
  private final Name probe = new Name();
  private @Nullable PreparedText unnamed;

  /** The name that was asked for last, and what it stands for. */
  private byte[] lastName = {};

  private @Nullable PreparedText last;

  /** A name's bytes; the one used for looking up is moved from name to name. */
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

  /** Null if nobody knows. */
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

  /** All but the one without a name, which is replaced before it is used. */
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
   * What a statement's or a portal's name stands for. Until the server has said that it took it,
   * that is known only within the group in which it was sent: there whatever follows a failure is
   * skipped.
   */
  static final class PreparedText {
    /** What nobody knows may write, and may as well be what ends a transaction or a part of it. */
    static final SqlEffect UNKNOWN = SqlEffect.WRITE_THEN_END;

    private final SqlEffect verdict;
    private final long group;
    private boolean confirmed;
    private boolean failed;

    PreparedText(SqlEffect verdict, long group) {
      this.verdict = verdict;
      this.group = group;
    }

    /** What it may do, for a message that is sent in this group. */
    SqlEffect verdict(long now) {
      return !failed && (confirmed || group == now) ? verdict : UNKNOWN;
    }

    /** The server has taken it. */
    void confirm() {
      confirmed = true;
    }

    /** The server has not, so the name may still stand for what it stood for before. */
    void fail() {
      failed = true;
    }
  }
}
