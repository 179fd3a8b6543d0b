package io.portcullis.backend.postgres;

/**
 * What is told by NOTIFY when a lease was taken or released: in which election, and by whom. Short,
 * since a hint that is too long would keep a lease from being taken.
 */
final class News {
  private News() {}

  static String text(PostgresPlan plan, String node, long epoch) {
    return plan.lockKey() + " " + epoch + " " + ScopeKey.of(node);
  }

  /** True if {@code text} tells of something in this election that {@code self} did not do. */
  static boolean concerns(PostgresPlan plan, String self, String text) {
    String[] words = text.split(" ", 3);
    return words.length == 3
        && words[0].equals(Long.toString(plan.lockKey()))
        && !words[2].equals(Long.toString(ScopeKey.of(self)));
  }
}
