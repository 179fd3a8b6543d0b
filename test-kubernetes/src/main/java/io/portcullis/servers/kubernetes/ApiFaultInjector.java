package io.portcullis.servers.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The current faults of a server. Faults also affect connections that are already open.
 *
 * <p>If several faults match a request, the one set last applies.
 */
public final class ApiFaultInjector {
  private final List<ActiveFault> active = new ArrayList<>();
  private final Runnable endOfWatches;
  private Set<String> tokens = Set.of();
  private boolean silentWatches;
  private boolean expiringWatches;
  private boolean unselectiveWatches;
  private boolean ended;
  private long heals;

  ApiFaultInjector(Runnable endOfWatches) {
    this.endOfWatches = endOfWatches;
  }

  /** Sets a fault for all requests with one of these verbs. */
  public void set(Fault fault, Verb first, Verb... others) {
    set(fault, RequestFilter.to(first, others));
  }

  /** Sets a fault for some requests. */
  public void set(Fault fault, RequestFilter which) {
    setFor(fault, which, Long.MAX_VALUE);
  }

  /** Sets a fault for only the next of these requests. */
  public void setOnce(Fault fault, RequestFilter which) {
    setFor(fault, which, 1);
  }

  private synchronized void setFor(Fault fault, RequestFilter which, long times) {
    active.add(0, new ActiveFault(fault, which, times));
  }

  /** Ends all watches; accepts new ones. */
  public void closeWatches() {
    endOfWatches.run();
  }

  /** Ends all watches and rejects new ones with this code. */
  public void refuseWatches(int code) {
    set(Fault.status(code), Verb.WATCH);
    closeWatches();
  }

  /**
   * Keeps watches open and accepts new ones, but sends them no events. They receive the missed
   * events late, after {@link #heal()}.
   */
  public synchronized void silenceWatches() {
    silentWatches = true;
  }

  /** Ends each watch with error 410, right after its initial events. */
  public void expireWatches() {
    synchronized (this) {
      expiringWatches = true;
    }
    closeWatches();
  }

  /** Sends watches that begin from now on all objects of their kind, whatever they selected. */
  public void ignoreSelectors() {
    synchronized (this) {
      unselectiveWatches = true;
    }
    closeWatches();
  }

  /** Responds with 401 to every request without one of these tokens. */
  public synchronized void requireToken(String... accepted) {
    tokens = Set.of(accepted);
  }

  /** Ends all faults, including the token requirement. */
  public synchronized void heal() {
    active.clear();
    tokens = Set.of();
    silentWatches = false;
    expiringWatches = false;
    unselectiveWatches = false;
    heals++;
    notifyAll();
  }

  /** Releases all waiting requests permanently. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  synchronized boolean haveEnded() {
    return ended;
  }

  /** Returns the fault for this request, and counts the request. */
  synchronized Fault next(RequestLogEntry asked) {
    if (!tokens.isEmpty() && !tokens.contains(asked.token())) {
      return Fault.status(401);
    }
    for (ActiveFault candidate : active) {
      if (candidate.left > 0 && candidate.concerns(asked)) {
        candidate.left--;
        return candidate.fault;
      }
    }
    return Fault.NONE;
  }

  /** Whether such a request would be refused because of missing rights. */
  synchronized boolean forbids(Predicate<RequestFilter> whether) {
    return active.stream()
        .anyMatch(one -> one.left > 0 && one.fault.forbids() && whether.test(one.which));
  }

  synchronized long heals() {
    return heals;
  }

  /** Returns once {@link #heals()} has changed. */
  synchronized void awaitHealed(long seen) throws InterruptedException {
    while (heals == seen && !ended) {
      wait();
    }
  }

  /** Returns after this time, or once {@link #heals()} has changed. */
  synchronized void awaitHealed(long seen, Duration atMost) throws InterruptedException {
    long due = System.nanoTime() + atMost.toNanos();
    while (heals == seen && !ended) {
      long left = due - System.nanoTime();
      if (left <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  synchronized boolean expiresWatches() {
    return expiringWatches;
  }

  synchronized boolean ignoresSelectors() {
    return unselectiveWatches;
  }

  synchronized boolean silencesWatches() {
    return silentWatches && !ended;
  }

  private static final class ActiveFault {
    final Fault fault;
    final RequestFilter which;
    long left;

    ActiveFault(Fault fault, RequestFilter which, long times) {
      this.fault = fault;
      this.which = which;
      this.left = times;
    }

    /** A review of the client's own rights is never forbidden. */
    boolean concerns(RequestLogEntry asked) {
      return which.include(asked) && !(fault.forbids() && asked.verb() == Verb.REVIEW);
    }
  }
}
