package io.portcullis.agent.health;

import io.portcullis.agent.config.ElectionSection.EligibilitySection;
import io.portcullis.agent.config.ElectionSection.EligibilitySection.BeanValue;
import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks all checks of an election again and again, and tells what follows from their answers. */
public final class EligibilityMonitor {
  /** Learns how it stands after each round. Its own failure ends that round, not the next. */
  @FunctionalInterface
  public interface EligibilityListener {
    /** The verdict, and why in one sentence. */
    void eligibilityChecked(boolean eligible, String why);
  }

  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String election;
  private final EligibilitySection config;
  private final List<CheckRunner> runners;
  private final EligibilityListener listener;
  private final CountDownLatch over = new CountDownLatch(1);
  private HealthState state = HealthState.UNKNOWN;

  /** Checks what {@code config} says; not before {@link #start}. */
  public EligibilityMonitor(
      String election, EligibilitySection config, EligibilityListener judged) {
    this(election, config, checks(config), judged);
  }

  EligibilityMonitor(
      String election,
      EligibilitySection config,
      List<HealthCheck> checks,
      EligibilityListener judged) {
    this.election = election;
    this.config = config;
    this.listener = judged;
    this.runners =
        checks.stream().map(check -> new CheckRunner(election, check, config.timeout())).toList();
  }

  private static List<HealthCheck> checks(EligibilitySection config) {
    List<HealthCheck> checks = new ArrayList<>();
    config.http().ifPresent(uri -> checks.add(new HttpCheck(uri)));
    config.tcp().ifPresent(endpoint -> checks.add(new TcpCheck(endpoint)));
    config.bean().ifPresent(bean -> checks.add(new MBeanCheck(bean)));
    return checks;
  }

  /** Begins, on a thread of its own. */
  public void start() {
    DaemonThreads.unstarted("portcullis-" + election + "-health", this::run).start();
  }

  /** Ends after the round under way. */
  public void stop() {
    over.countDown();
  }

  private void run() {
    Duration pause = config.every();
    try {
      do {
        round();
      } while (!over.await(pause.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      LOG.warn("portcullis election={} health is checked no more: interrupted", election);
      listener.eligibilityChecked(false, "not eligible: health is checked no more");
    }
  }

  private void round() throws InterruptedException {
    runners.forEach(CheckRunner::begin);
    List<String> failures = new ArrayList<>();
    for (CheckRunner probe : runners) {
      String failure = probe.await();
      if (failure != null) {
        failures.add(failure);
      }
    }
    HealthState next =
        state.after(
            failures.isEmpty() ? null : String.join("; ", failures),
            config.failures(),
            config.successes());
    state = Objects.requireNonNull(next);
    try {
      listener.eligibilityChecked(next.eligible(), next.why(config.successes()));
    } catch (RuntimeException e) { // Such as too many orders at once: the next round tells again.
      LOG.error("portcullis election={} could not act upon its health", election, e);
    }
  }

  /**
   * Whether an MBean's attribute has a certain value. Only servers that are there already are
   * asked: the platform's is the application's to bring up, or the agent's at its proper time.
   */
  record MBeanCheck(BeanValue wanted) implements HealthCheck {

    @Override
    public String name() {
      return "mbean " + wanted.name() + " " + wanted.attribute();
    }

    @Override
    public @Nullable String failure(Duration timeout) throws JMException {
      ObjectName name = new ObjectName(wanted.name());
      List<MBeanServer> servers = MBeanServerFactory.findMBeanServer(null);
      for (MBeanServer server : servers) {
        if (server.isRegistered(name)) {
          try {
            String value = String.valueOf(server.getAttribute(name, wanted.attribute()));
            return value.equals(wanted.equal())
                ? null
                : "is " + brief(value) + ", not " + wanted.equal();
          } catch (InstanceNotFoundException e) {
            return "was just unregistered";
          }
        }
      }
      return servers.isEmpty() ? "there is no MBean server yet" : "there is no such MBean";
    }

    private static String brief(String value) {
      return value.length() <= 80 ? value : value.substring(0, 80) + "…";
    }
  }

  /**
   * How a node stands after some rounds of checks. Nobody is eligible before the first round that
   * was good; that one suffices, since there is nothing to distrust yet. Afterwards it takes some
   * failures in a row to lose it, and some good rounds in a row to get it back.
   *
   * @param eligible whether it may lead
   * @param wasEligible whether it ever was
   * @param streak how many rounds in a row spoke against what it is
   * @param lastFailure what was wrong last, empty if nothing ever was
   */
  record HealthState(boolean eligible, boolean wasEligible, int streak, String lastFailure) {
    /** Before the first round. */
    static final HealthState UNKNOWN = new HealthState(false, false, 0, "");

    /**
     * After one more round.
     *
     * @param failure what was wrong in it, null if nothing was
     * @param failures how many in a row are too many
     * @param successes how many in a row are enough
     */
    HealthState after(@Nullable String failure, int failures, int successes) {
      if (eligible) {
        if (failure == null) {
          return new HealthState(true, true, 0, lastFailure);
        }
        boolean lost = streak + 1 >= failures;
        return new HealthState(!lost, true, lost ? 0 : streak + 1, failure);
      }
      if (failure != null) {
        return new HealthState(false, wasEligible, 0, failure);
      }
      boolean enough = !wasEligible || streak + 1 >= successes;
      return new HealthState(enough, wasEligible || enough, enough ? 0 : streak + 1, lastFailure);
    }

    /** Why it is not eligible, or that it is. */
    String why(int successes) {
      if (eligible) {
        return "eligible";
      }
      if (lastFailure.isEmpty()) {
        return "not eligible: no check has been answered yet";
      }
      return "not eligible: "
          + lastFailure
          + (streak == 0 ? "" : "; since then " + streak + " of " + successes + " good answers");
    }
  }

  /**
   * A check on a thread of its own. One that hangs is asked no second time until it comes back, and
   * fails meanwhile.
   */
  static final class CheckRunner {
    /** How long the thread waits for the next check before it ends. */
    private static final Duration MAX_IDLE = Duration.ofMinutes(1);

    private final HealthCheck check;
    private final Duration timeout;
    private final ExecutorService thread;
    private @Nullable Future<@Nullable String> running;
    private long begunNanos;

    CheckRunner(String election, HealthCheck check, Duration timeout) {
      this.check = check;
      this.timeout = timeout;
      this.thread =
          DaemonThreads.pool(
              () -> "portcullis-" + election + "-check",
              1,
              1,
              MAX_IDLE,
              new LinkedBlockingQueue<>(),
              new AbortPolicy());
    }

    void begin() {
      if (running == null) {
        begunNanos = System.nanoTime();
        running = thread.submit(this::failure);
      }
    }

    /** A check may ask code of the application's, which expects to find its own classes. */
    private @Nullable String failure() throws Exception {
      Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
      return check.failure(timeout);
    }

    /** What is wrong, null if nothing is; waits for the answer no longer than is allowed. */
    @Nullable String await() throws InterruptedException {
      Future<@Nullable String> asked = running;
      if (asked == null) {
        return check.name() + ": was not asked";
      }
      try {
        long left = timeout.toNanos() - (System.nanoTime() - begunNanos);
        String failure = asked.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        running = null;
        return failure == null ? null : check.name() + ": " + failure;
      } catch (TimeoutException e) {
        return check.name() + ": no answer within " + timeout.toMillis() + " ms";
      } catch (ExecutionException e) {
        running = null;
        return check.name() + ": " + e.getCause();
      }
    }
  }
}
