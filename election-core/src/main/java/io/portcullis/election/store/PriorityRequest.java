package io.portcullis.election.store;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A standby's request to the current leader for a handover, because the standby is healthy and may
 * have a higher priority. It is a hint and gives no node a right: it may be lost, duplicated, late
 * or forged. It names the tenure it refers to, so that a late request moves no other leader.
 *
 * @param node the node that requests leadership
 * @param priority its priority
 * @param epoch the epoch of the tenure that it would follow
 * @param readyFor how long it has been ready to lead without interruption
 */
public record PriorityRequest(String node, int priority, long epoch, Duration readyFor) {

  /** Longer than any wait, and far from overflow. */
  private static final Duration MAX_READY_FOR = Duration.ofDays(365);

  /** Maximum length of a request as text; longer than any identity needs. */
  private static final int MAX_CHARS = 1024;

  private static final int PARTS = 4;

  /** Rejects missing components; caps {@code readyFor} at a year. */
  public PriorityRequest {
    Objects.requireNonNull(node, "node");
    if (readyFor.isNegative()) {
      throw new IllegalArgumentException("readyFor is " + readyFor + "; it must not be negative");
    }
    readyFor = readyFor.compareTo(MAX_READY_FOR) < 0 ? readyFor : MAX_READY_FOR;
  }

  /** The request as one line of text, for stores that transport text. */
  public String text() {
    return priority + " " + epoch + " " + readyFor.toMillis() + " " + node;
  }

  /** Parses {@link #text}; null if it is not a valid request. */
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
