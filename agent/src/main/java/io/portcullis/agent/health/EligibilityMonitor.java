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

/**
 * Runs all health checks of an election periodically and reports after each round whether the node
 * may lead.
 */
public final class EligibilityMonitor {
  /** Receives the result; exceptions do not stop the next round. */
  @FunctionalInterface
  public interface EligibilityListener {
    /**
     * Called after each round, also if the verdict is unchanged.
     *
     * @param why the reason in one sentence
     */
    void eligibilityChecked(boolean eligible, String why);
  }

  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String election;
  private final EligibilitySection config;
  private final List<CheckRunner> runners;
  private final EligibilityListener listener;
  private final CountDownLatch over = new CountDownLatch(1);
  private HealthState state = HealthState.UNKNOWN;

  /** Creates the configured checks. They run only after {@link #start}. */
  public EligibilityMonitor(
      String election, EligibilitySection config, EligibilityListener listener) {
    this(election, config, checks(config), listener);
  }

  EligibilityMonitor(
      String election,
      EligibilitySection config,
      List<HealthCheck> checks,
      EligibilityListener listener) {
    this.election = election;
    this.config = config;
    this.listener = listener;
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

  /** Starts the rounds on a new daemon thread. */
  public void start() {
    DaemonThreads.unstarted("portcullis-" + election + "-health", this::run).start();
  }

  /** Stops after the current round. */
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
      LOG.warn("portcullis election={} health checks have stopped: interrupted", election);
      listener.eligibilityChecked(false, "not eligible: health checks have stopped");
    }
  }

  private void round() throws InterruptedException {
    runners.forEach(CheckRunner::begin);
    List<String> failures = new ArrayList<>();
    for (CheckRunner runner : runners) {
      String failure = runner.await();
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
    } catch (RuntimeException e) { // Such as a full command queue: the next round retries.
      LOG.error("portcullis election={} could not apply its health verdict", election, e);
    }
  }

  /**
   * Checks that an MBean attribute has a configured value. Searches only the MBean servers that
   * already exist: the platform MBean server must be created by the application, or by the agent
   * after its JMX start delay.
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
   * Eligibility of a node after a number of check rounds. No node is eligible before its first
   * successful round; that single round suffices, since no failure has been seen yet. Afterwards
   * consecutive failures take eligibility away, and consecutive successes restore it.
   *
   * @param eligible whether the node may lead
   * @param wasEligible whether the node has ever been eligible
   * @param streak number of consecutive rounds whose result contradicts {@code eligible}
   * @param lastFailure the last failure, empty if there was none
   */
  record HealthState(boolean eligible, boolean wasEligible, int streak, String lastFailure) {
    /** Before the first round. */
    static final HealthState UNKNOWN = new HealthState(false, false, 0, "");

    /**
     * Returns the state after one more round.
     *
     * @param failure the failures of this round, null if all checks passed
     * @param failures number of consecutive failures that take eligibility away
     * @param successes number of consecutive successes that restore it
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

    /** Describes the state in one sentence, with the last failure if the node is not eligible. */
    String why(int successes) {
      if (eligible) {
        return "eligible";
      }
      if (lastFailure.isEmpty()) {
        return "not eligible: no check has completed yet";
      }
      return "not eligible: "
          + lastFailure
          + (streak == 0
              ? ""
              : "; since then " + streak + " of " + successes + " successful checks");
    }
  }

  /**
   * Runs one check on a dedicated thread. A check that hangs counts as failed and is not started
   * again until it returns.
   */
  static final class CheckRunner {
    /** Maximum time the thread waits for the next run before it ends. */
    private static final Duration MAX_IDLE = Duration.ofMinutes(1);

    private final HealthCheck check;
    private final Duration timeout;
    private final ExecutorService thread;
    private @Nullable Future<@Nullable String> running;
    private long startedNanos;

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
        startedNanos = System.nanoTime();
        running = thread.submit(this::failure);
      }
    }

    /**
     * Runs the check with the system class loader as context class loader: a check may call
     * application code, which needs to find its own classes.
     */
    private @Nullable String failure() throws Exception {
      Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
      return check.failure(timeout);
    }

    /** Returns the failure, null if the check passed; waits until the check's timeout at most. */
    @Nullable String await() throws InterruptedException {
      Future<@Nullable String> current = running;
      if (current == null) {
        return check.name() + ": was not started";
      }
      try {
        long left = timeout.toNanos() - (System.nanoTime() - startedNanos);
        String failure = current.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        running = null;
        return failure == null ? null : check.name() + ": " + failure;
      } catch (TimeoutException e) {
        return check.name() + ": no response within " + timeout.toMillis() + " ms";
      } catch (ExecutionException e) {
        running = null;
        return check.name() + ": " + e.getCause();
      }
    }
  }

  /** A condition that must hold for a node to lead. */
  interface HealthCheck {

    /** Display name for logs and status; constant for one check. */
    String name();

    /**
     * Runs the check. May exceed the timeout, and may throw; the caller handles both as a failure.
     *
     * @return the failure, null if the check passed
     */
    @Nullable String failure(Duration timeout) throws Exception;
  }
}
