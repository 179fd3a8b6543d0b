package io.portcullis.election.store;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A standby's word to whoever leads: I am well, my priority is this, and I would lead. It is a
 * hint, and gives nobody a right: it may be lost, doubled, late or made up. It says which tenure is
 * meant, so that one which comes late moves nobody else.
 *
 * @param node who would lead
 * @param priority how much it is preferred
 * @param epoch the tenure that it would follow
 * @param readyFor for how long it has been ready to lead without a break
 */
public record PriorityRequest(String node, int priority, long epoch, Duration readyFor) {

  /** Far longer than anybody waits, and far from overflow. */
  private static final Duration MAX_READY_FOR = Duration.ofDays(365);

  /** No identity needs more. */
  private static final int MAX_CHARS = 1024;

  private static final int PARTS = 4;

  /** Refuses a missing part; who has been well for longer than a year says a year. */
  public PriorityRequest {
    Objects.requireNonNull(node, "node");
    if (readyFor.isNegative()) {
      throw new IllegalArgumentException("well for " + readyFor + "; it can't be negative");
    }
    readyFor = readyFor.compareTo(MAX_READY_FOR) < 0 ? readyFor : MAX_READY_FOR;
  }

  /** As one line, for a store that carries texts. */
  public String text() {
    return priority + " " + epoch + " " + readyFor.toMillis() + " " + node;
  }

  /** What {@link #text} said; null if it can't be a wish. */
  public static @Nullable PriorityRequest read(String text) {
    String[] parts = text.split(" ", PARTS);
    if (text.length() > MAX_CHARS || parts.length != PARTS || parts[3].isBlank()) {
      return null;
    }
    try {
      return new PriorityRequest(
          parts[3],
          Integer.parseInt(parts[0]),
          Long.parseLong(parts[1]),
          Duration.ofMillis(Long.parseLong(parts[2])));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
