package io.portcullis.agent.node;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in an election, as this node saw it.
 *
 * @param at when, by the wall clock
 * @param election which election
 * @param epoch under which epoch
 * @param leading whether this node leads after it
 * @param what what happened, in the words of the log
 * @param leader who leads now, where somebody began to
 * @param why the reason, where there is one
 */
public record Transition(
    Instant at,
    String election,
    long epoch,
    boolean leading,
    String what,
    @Nullable String leader,
    @Nullable String why) {

  /** One line for people. */
  public String sentence() {
    return at
        + " epoch="
        + epoch
        + " "
        + what
        + (leader == null ? "" : " leader=" + leader)
        + (why == null ? "" : " why=\"" + why + "\"");
  }
}
