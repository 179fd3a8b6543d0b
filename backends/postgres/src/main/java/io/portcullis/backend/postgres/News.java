package io.portcullis.backend.postgres;

import io.portcullis.election.store.Request;
import io.portcullis.election.store.Wish;
import org.jspecify.annotations.Nullable;

/**
 * What is told by NOTIFY: in which election a lease was taken or released, and by whom; for whom it
 * was released; who would lead. The first two are short, since a hint that is too long would keep a
 * lease from being taken. A node that does not know a form does not heed it.
 */
final class News {
  private static final String HEIR = "heir ";
  private static final String WISH = "wish ";

  private News() {}

  static String text(PostgresPlan plan, String node, long epoch) {
    return plan.lockKey() + " " + epoch + " " + ScopeKey.of(node);
  }

  static String text(PostgresPlan plan, Request.Release release) {
    String heir = release.successor();
    return heir == null
        ? text(plan, release.node(), release.epoch())
        : HEIR + plan.lockKey() + " " + ScopeKey.of(heir);
  }

  static String text(PostgresPlan plan, Wish wish) {
    return WISH + plan.lockKey() + " " + wish.text();
  }

  /**
   * True if {@code text} tells of something in this election that {@code self} did not do: others
   * leave a release to its heir, and find it when they look.
   */
  static boolean concerns(PostgresPlan plan, String self, String text) {
    if (text.startsWith(HEIR)) {
      return text.equals(HEIR + plan.lockKey() + " " + ScopeKey.of(self));
    }
    String[] words = text.split(" ", 3);
    return words.length == 3
        && words[0].equals(Long.toString(plan.lockKey()))
        && !words[2].equals(Long.toString(ScopeKey.of(self)));
  }

  /** The wish in it; null if it is something else, or of another election. */
  static @Nullable Wish wishIn(PostgresPlan plan, String text) {
    String start = WISH + plan.lockKey() + " ";
    return text.startsWith(start) ? Wish.read(text.substring(start.length())) : null;
  }
}
