package io.portcullis.agent.node;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The newest transitions, oldest first, and who wants to hear of the next. */
public final class Transitions {
  /** As many as the status shows. */
  private static final int SHOWN = 50;

  /** As many as are kept for whoever looks for a fault. */
  private static final int MAX_COUNT = 200;

  private final Deque<Transition> newest = new ArrayDeque<>();
  private final List<Consumer<Transition>> listeners = new CopyOnWriteArrayList<>();

  /** Tells {@code listener} of every transition from now on, on the election's listener thread. */
  public void onNext(Consumer<Transition> listener) {
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
  public List<Transition> list() {
    List<Transition> all = all();
    return all.subList(Math.max(0, all.size() - SHOWN), all.size());
  }

  /** All that are remembered, oldest first. */
  public List<Transition> all() {
    synchronized (newest) {
      return List.copyOf(newest);
    }
  }
}
