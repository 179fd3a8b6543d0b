package io.portcullis.agent.health;

import io.portcullis.agent.config.EligibilitySection;
import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks all checks of an election again and again, and tells what follows from their answers. */
public final class Eligibility {
  /** Learns how it stands after each round. Its own failure ends that round, not the next. */
  @FunctionalInterface
  public interface Judged {
    /** The verdict, and why in one sentence. */
    void judged(boolean eligible, String why);
  }

  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String election;
  private final EligibilitySection config;
  private final List<CheckRunner> probes;
  private final Judged judged;
  private final CountDownLatch over = new CountDownLatch(1);
  private HealthState standing = HealthState.UNKNOWN;

  /** Checks what {@code config} says; not before {@link #start}. */
  public Eligibility(String election, EligibilitySection config, Judged judged) {
    this(election, config, checks(config), judged);
  }

  Eligibility(String election, EligibilitySection config, List<HealthCheck> checks, Judged judged) {
    this.election = election;
    this.config = config;
    this.judged = judged;
    this.probes =
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
      judged.judged(false, "not eligible: health is checked no more");
    }
  }

  private void round() throws InterruptedException {
    probes.forEach(CheckRunner::begin);
    List<String> failures = new ArrayList<>();
    for (CheckRunner probe : probes) {
      String failure = probe.await();
      if (failure != null) {
        failures.add(failure);
      }
    }
    HealthState next =
        standing.after(
            failures.isEmpty() ? null : String.join("; ", failures),
            config.failures(),
            config.successes());
    standing = Objects.requireNonNull(next);
    try {
      judged.judged(next.eligible(), next.why(config.successes()));
    } catch (RuntimeException e) { // Such as too many orders at once: the next round tells again.
      LOG.error("portcullis election={} could not act upon its health", election, e);
    }
  }
}
