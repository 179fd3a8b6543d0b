package io.portcullis.benchmarks.failover;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Leader election with a ShedLock lock: the node that holds the lock leads, and a flag records it.
 * ShedLock neither notifies waiting nodes nor renews such a short lock by itself, so this class
 * does both: it retries repeatedly, and extends the lock that it holds.
 */
final class ShedLockContender implements Contender {
  private final LockProvider provider;
  private final String election;
  private final ScheduledExecutorService extending =
      Executors.newSingleThreadScheduledExecutor(ShedLockContender::daemon);
  private volatile boolean leads;
  private @Nullable SimpleLock held;
  private @Nullable Future<?> extensions;

  ShedLockContender(String url, String election) {
    this.election = election;
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    provider =
        new JdbcTemplateLockProvider(
            JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "extending");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void join() {
    Optional<SimpleLock> got = tryLock();
    while (got.isEmpty()) {
      LockSupport.parkNanos(FailoverTiming.SHEDLOCK_POLL.toNanos());
      got = tryLock();
    }
    leads = true;
    lead(got.get());
  }

  private Optional<SimpleLock> tryLock() {
    return provider.lock(
        new LockConfiguration(Instant.now(), election, FailoverTiming.LEASE, Duration.ZERO));
  }

  private synchronized void lead(SimpleLock lock) {
    held = lock;
    long pause = FailoverTiming.RENEW.toNanos();
    extensions = extending.scheduleAtFixedRate(this::extend, pause, pause, TimeUnit.NANOSECONDS);
  }

  private synchronized void extend() {
    SimpleLock lock = held;
    if (lock != null) {
      held = lock.extend(FailoverTiming.LEASE, Duration.ZERO).orElse(null);
      leads = held != null;
    }
  }

  @Override
  public boolean mayAct() {
    return leads;
  }

  @Override
  public synchronized void stepDown() {
    leads = false;
    SimpleLock lock = held;
    held = null;
    if (lock != null) {
      lock.unlock();
    }
    if (extensions != null) {
      extensions.cancel(false);
    }
  }
}
