package io.portcullis.agent.node;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the newest transitions, oldest first, and notifies listeners of new ones. */
public final class TransitionHistory {
  /** Number of transitions in the status. */
  private static final int RECENT_COUNT = 50;

  /** Number of transitions kept for diagnostics. */
  private static final int MAX_COUNT = 200;

  private final Deque<Transition> newest = new ArrayDeque<>();
  private final List<Consumer<Transition>> listeners = new CopyOnWriteArrayList<>();

  /** Notifies {@code listener} of future transitions, on the election's listener thread. */
  public void addListener(Consumer<Transition> listener) {
    listeners.add(listener);
  }

  void add(Transition transition) {
    synchronized (newest) {
      if (newest.size() == MAX_COUNT) {
        newest.removeFirst();
      }
      newest.addLast(transition);
    }
    listeners.forEach(listener -> listener.accept(transition));
  }

  /** The newest transitions for the status, oldest first. */
  public List<Transition> recent() {
    List<Transition> all = all();
    return all.subList(Math.max(0, all.size() - RECENT_COUNT), all.size());
  }

  /** All transitions that are kept, oldest first. */
  public List<Transition> all() {
    synchronized (newest) {
      return List.copyOf(newest);
    }
  }

  /**
   * A state change in an election, as seen by this node.
   *
   * @param at wall-clock time
   * @param leading whether this node leads after it
   * @param what the event, worded as in the log
   * @param leader the new leader, null if the leader did not change
   * @param why the reason, null if none is known
   */
  public record Transition(
      Instant at,
      String election,
      long epoch,
      boolean leading,
      String what,
      @Nullable String leader,
      @Nullable String why) {

    /** Formats the transition as one readable line. */
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
}
