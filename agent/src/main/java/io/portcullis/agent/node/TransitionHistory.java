package io.portcullis.agent.node;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The newest transitions, oldest first, and who wants to hear of the next. */
public final class TransitionHistory {
  /** As many as the status shows. */
  private static final int RECENT_COUNT = 50;

  /** As many as are kept for whoever looks for a fault. */
  private static final int MAX_COUNT = 200;

  private final Deque<Transition> newest = new ArrayDeque<>();
  private final List<Consumer<Transition>> listeners = new CopyOnWriteArrayList<>();

  /** Tells {@code listener} of every transition from now on, on the election's listener thread. */
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

  /** The newest few, oldest first. */
  public List<Transition> recent() {
    List<Transition> all = all();
    return all.subList(Math.max(0, all.size() - RECENT_COUNT), all.size());
  }

  /** All that are remembered, oldest first. */
  public List<Transition> all() {
    synchronized (newest) {
      return List.copyOf(newest);
    }
  }

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
}
