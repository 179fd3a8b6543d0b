package io.portcullis.fencing.protocol;

import io.portcullis.gate.sql.SqlEffect;

/**
 * What a statement's or a portal's name stands for. Until the server has said that it took it, that
 * is known only within the group in which it was sent: there whatever follows a failure is skipped.
 */
final class PreparedText {
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
