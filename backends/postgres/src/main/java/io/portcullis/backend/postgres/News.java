package io.portcullis.backend.postgres;

/** What is told by NOTIFY when a lease was taken or released: whose, and in which election. */
final class News {
  private News() {}

  static String text(PostgresPlan plan, String node, long epoch) {
    return plan.lockKey() + " " + epoch + " " + node;
  }

  /** True if {@code text} tells of something in this election that {@code self} did not do. */
  static boolean concerns(PostgresPlan plan, String self, String text) {
    String[] words = text.split(" ", 3);
    return words.length == 3
        && words[0].equals(Long.toString(plan.lockKey()))
        && !words[2].equals(self);
  }
}
