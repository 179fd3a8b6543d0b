package io.portcullis.agent.hooks;

import io.portcullis.agent.config.ElectionSection.HooksSection;
import io.portcullis.agent.config.HookMethod;
import io.portcullis.agent.hooks.ApplicationClassLookup.HookNotFoundException;
import io.portcullis.agent.node.ElectionView.HookCount;
import io.portcullis.election.ElectionListener;
import io.portcullis.election.Tenure;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.threads.DaemonThreads;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the hooks of one election, one at a time, in the order of the events. Pending calls wait in
 * a bounded queue. If the queue is full, the oldest call is dropped, since the application needs
 * the current state most.
 */
public final class HookDispatcher implements ElectionListener {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** Maximum number of queued calls. */
  static final int MAX_PENDING_CALLS = 64;

  /**
   * Maximum number of timed-out calls that may still be running. At this number further calls are
   * dropped.
   */
  static final int MAX_ABANDONED_CALLS = 4;

  /** Maximum time a call may take to end after its thread was interrupted. */
  private static final Duration MAX_INTERRUPT_WAIT = Duration.ofMillis(500);

  private record PendingCall(String kind, HookMethod hook, List<Object> arguments) {}

  private final String election;
  private final HooksSection config;
  private final ApplicationClassLookup classes;
  private final BlockingDeque<PendingCall> pending = new LinkedBlockingDeque<>(MAX_PENDING_CALLS);
  private final List<Thread> abandoned = new ArrayList<>();
  private final HookCounters counters = new HookCounters();
  private final Thread thread;
  private volatile boolean finishing;

  /** Creates a dispatcher. It calls hooks only after {@link #start}. */
  public HookDispatcher(String election, HooksSection config, ApplicationClassLookup classes) {
    this.election = election;
    this.config = config;
    this.classes = classes;
    this.thread =
        DaemonThreads.unstarted("portcullis-" + election + "-hooks", () -> finishing, this::run);
  }

  public void start() {
    thread.start();
  }

  /** Number of calls by hook kind and result. */
  public List<HookCount> counts() {
    return counters.counts();
  }

  @Override
  public void startedLeading(Tenure tenure) {
    List<Object> arguments = List.of(tenure.epoch());
    config.started().forEach(hook -> add(new PendingCall("started", hook, arguments)));
  }

  @Override
  public void stoppedLeading(long epoch, LossReason ending, String why) {
    List<Object> arguments = List.of(epoch);
    config.stopped().forEach(hook -> add(new PendingCall("stopped", hook, arguments)));
  }

  @Override
  public void newLeader(Leader leader) {
    List<Object> arguments = List.of(leader.identity(), leader.epoch());
    config.newLeader().forEach(hook -> add(new PendingCall("new-leader", hook, arguments)));
  }

  private void add(PendingCall next) {
    while (!pending.offerLast(next)) {
      PendingCall dropped = pending.pollFirst();
      if (dropped != null) {
        report(
            dropped,
            HookCounters.DROPPED,
            "is dropped: " + MAX_PENDING_CALLS + " calls are queued",
            null);
      }
    }
  }

  /** Runs the queued calls, then stops; waits at most {@code atMost}. */
  public void finish(Duration atMost) {
    finishing = true;
    thread.interrupt(); // Only wakes the thread: a running call keeps its timeout.
    try {
      thread.join(Math.max(1, atMost.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!finishing || !pending.isEmpty()) {
      try {
        call(pending.takeFirst());
      } catch (InterruptedException e) {
        // From finish(): the loop condition decides whether calls are left.
      }
    }
  }

  private void call(PendingCall next) {
    abandoned.removeIf(caller -> !caller.isAlive());
    if (abandoned.size() >= MAX_ABANDONED_CALLS) {
      report(
          next,
          HookCounters.DROPPED,
          "is not called: " + MAX_ABANDONED_CALLS + " earlier calls have not ended",
          null);
      return;
    }
    HookCall call = new HookCall(classes, next.hook(), next.arguments());
    Thread caller = DaemonThreads.interruptible("portcullis-" + election + "-hook", call);
    caller.setContextClassLoader(ClassLoader.getSystemClassLoader());
    caller.start();
    if (hasEnded(caller, config.timeout())) {
      recordResult(next, call.failure());
      return;
    }
    caller.interrupt();
    boolean ended = hasEnded(caller, MAX_INTERRUPT_WAIT);
    if (!ended) {
      abandoned.add(caller);
    }
    report(
        next,
        HookCounters.TIMED_OUT,
        "has not ended within "
            + config.timeout().toMillis()
            + " ms; it was interrupted"
            + (ended ? "" : ", ignored the interrupt and is abandoned"),
        null);
  }

  private void recordResult(PendingCall done, @Nullable Throwable failure) {
    if (failure == null) {
      counters.count(done.kind(), HookCounters.DONE);
      LOG.debug("portcullis election={} hook={} {} done", election, done.kind(), done.hook());
    } else if (failure instanceof HookNotFoundException missing) {
      report(done, HookCounters.MISSING, "can't be called: " + missing.getMessage(), null);
    } else {
      report(done, HookCounters.FAILED, "failed: " + failure, failure);
    }
  }

  private void report(
      PendingCall call, String result, String sentence, @Nullable Throwable failure) {
    counters.count(call.kind(), result);
    LOG.error(
        "portcullis election={} hook={} {} {}",
        election,
        call.kind(),
        call.hook(),
        sentence,
        failure);
  }

  /** Waits for a call to end. An interrupt does not shorten the wait; the flag is restored. */
  private static boolean hasEnded(Thread call, Duration atMost) {
    long endNanos = System.nanoTime() + atMost.toNanos();
    boolean interrupted = false;
    while (call.isAlive()) {
      long leftNanos = endNanos - System.nanoTime();
      if (leftNanos <= 0) {
        break;
      }
      try {
        call.join(Math.max(1, leftNanos / 1_000_000));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !call.isAlive();
  }

  /** Counts calls by hook kind and result. Thread-safe. */
  static final class HookCounters {
    static final String DONE = "done";
    static final String FAILED = "failed";
    static final String TIMED_OUT = "timed_out";
    static final String MISSING = "missing";
    static final String DROPPED = "dropped";

    private static final List<String> RESULTS = List.of(DONE, FAILED, TIMED_OUT, MISSING, DROPPED);

    private final Map<String, Map<String, Long>> counts = new TreeMap<>();

    HookCounters() {
      for (String kind : List.of("started", "stopped", "new-leader")) {
        Map<String, Long> none = new TreeMap<>();
        RESULTS.forEach(result -> none.put(result, 0L));
        counts.put(kind, none);
      }
    }

    synchronized void count(String kind, String result) {
      counts.computeIfAbsent(kind, name -> new TreeMap<>()).merge(result, 1L, Long::sum);
    }

    synchronized List<HookCount> counts() {
      List<HookCount> all = new ArrayList<>();
      counts.forEach(
          (kind, results) ->
              results.forEach((result, count) -> all.add(new HookCount(kind, result, count))));
      return List.copyOf(all);
    }
  }

  /** One call of one hook, run on its own thread. */
  static final class HookCall implements Runnable {
    private static final Map<String, Class<?>> TYPES =
        Map.of("java.lang.String", String.class, "long", long.class);

    private final ApplicationClassLookup classes;
    private final HookMethod hook;
    private final List<Object> arguments;
    private volatile @Nullable Throwable failure;

    /**
     * Creates a call of {@code hook}.
     *
     * @param arguments the available arguments; the hook gets as many as it has parameters
     */
    HookCall(ApplicationClassLookup classes, HookMethod hook, List<Object> arguments) {
      this.classes = classes;
      this.hook = hook;
      this.arguments = List.copyOf(arguments);
    }

    @Override
    public void run() {
      try {
        Class<?> type = classes.find(hook.type());
        Thread.currentThread().setContextClassLoader(type.getClassLoader());
        method(type).invoke(null, arguments.subList(0, hook.parameters().size()).toArray());
      } catch (InvocationTargetException e) {
        failure = e.getCause();
      } catch (
          Throwable e) { // Third-party code and its class loading: any error ends this call only.
        failure = e;
      }
    }

    /** The error of the call, null if it succeeded. Valid after the thread has ended. */
    @Nullable Throwable failure() {
      return failure;
    }

    private Method method(Class<?> type) throws HookNotFoundException {
      Class<?>[] parameters = hook.parameters().stream().map(TYPES::get).toArray(Class<?>[]::new);
      Method method;
      try {
        method = type.getDeclaredMethod(hook.name(), parameters);
      } catch (NoSuchMethodException e) {
        throw new HookNotFoundException(
            "the class " + type.getName() + " has no such method" + others(type));
      }
      if (!Modifier.isStatic(method.getModifiers())) {
        throw new HookNotFoundException(
            "the method is not static, and there is no object to call it on");
      }
      try {
        method.setAccessible(true);
      } catch (InaccessibleObjectException e) {
        throw new HookNotFoundException(
            "its module does not allow the call: make class and method public and export the"
                + " package, or open the package");
      }
      return method;
    }

    private String others(Class<?> type) {
      String same =
          Stream.of(type.getDeclaredMethods())
              .filter(method -> method.getName().equals(hook.name()))
              .map(
                  method ->
                      Arrays.stream(method.getParameterTypes())
                          .map(Class::getName)
                          .collect(Collectors.joining(",", "(", ")")))
              .sorted()
              .collect(Collectors.joining(", "));
      return same.isEmpty() ? "; check its name" : "; methods with this name: " + same;
    }
  }
}
