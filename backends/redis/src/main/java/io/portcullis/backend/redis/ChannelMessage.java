package io.portcullis.backend.redis;

import io.portcullis.election.store.PriorityRequest;
import org.jspecify.annotations.Nullable;

/**
 * What is published on an election's channel. A release is told by the identity of who released;
 * whatever else there is begins with a word and a tab, which no identity contains. So to a node
 * that does not know the word it is one more hint to look.
 */
final class ChannelMessage {
  private static final String WISH = "wish\t";
  private static final String HEIR = "heir\t";

  private ChannelMessage() {}

  /** The lease was released, for whoever comes first or for the node named. */
  static String released(String by, @Nullable String heir) {
    return heir == null ? by : HEIR + heir;
  }

  static String of(PriorityRequest wish) {
    return WISH + wish.text();
  }

  /** Whether {@code self} should look: others leave a release to its heir, and ask when they do. */
  static boolean wakes(String self, String text) {
    if (text.startsWith(HEIR)) {
      return text.equals(HEIR + self);
    }
    return !text.startsWith(WISH) && !text.equals(self);
  }

  /** The wish in it; null if it is something else. */
  static @Nullable PriorityRequest wishIn(String text) {
    return text.startsWith(WISH) ? PriorityRequest.read(text.substring(WISH.length())) : null;
  }
}
