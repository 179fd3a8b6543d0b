package io.portcullis.backend.postgres;

import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.PriorityRequest;
import org.jspecify.annotations.Nullable;

/**
 * What is told by NOTIFY: in which election a lease was taken or released, and by whom; for whom it
 * was released; who would lead. The first two are short, since a hint that is too long would keep a
 * lease from being taken. A node that does not know a form does not heed it.
 */
final class NotifyPayload {
  private static final String HEIR = "heir ";
  private static final String WISH = "wish ";

  private NotifyPayload() {}

  static String text(PostgresStorePlan plan, String node, long epoch) {
    return plan.lockKey() + " " + epoch + " " + AdvisoryLockKey.of(node);
  }

  static String text(PostgresStorePlan plan, LeaseRequest.Release release) {
    String heir = release.successor();
    return heir == null
        ? text(plan, release.node(), release.epoch())
        : HEIR + plan.lockKey() + " " + AdvisoryLockKey.of(heir);
  }

  static String text(PostgresStorePlan plan, PriorityRequest wish) {
    return WISH + plan.lockKey() + " " + wish.text();
  }

  /**
   * True if {@code text} tells of something in this election that {@code self} did not do: others
   * leave a release to its heir, and find it when they look.
   */
  static boolean concerns(PostgresStorePlan plan, String self, String text) {
    if (text.startsWith(HEIR)) {
      return text.equals(HEIR + plan.lockKey() + " " + AdvisoryLockKey.of(self));
    }
    String[] words = text.split(" ", 3);
    return words.length == 3
        && words[0].equals(Long.toString(plan.lockKey()))
        && !words[2].equals(Long.toString(AdvisoryLockKey.of(self)));
  }

  /** The wish in it; null if it is something else, or of another election. */
  static @Nullable PriorityRequest wishIn(PostgresStorePlan plan, String text) {
    String start = WISH + plan.lockKey() + " ";
    return text.startsWith(start) ? PriorityRequest.read(text.substring(start.length())) : null;
  }
}
