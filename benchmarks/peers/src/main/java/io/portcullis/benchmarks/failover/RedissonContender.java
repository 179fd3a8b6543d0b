package io.portcullis.benchmarks.failover;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.config.Config;

/**
 * The usual way to elect a leader with Redisson: whoever holds the lock leads, and a flag says so.
 * The watchdog renews the lock; who waits is told of an unlock by publish and subscribe, and
 * otherwise tries again when the lock's time is over.
 */
final class RedissonContender implements Contender {
  private final RLock lock;
  private volatile boolean leads;

  RedissonContender(String server, String election) {
    Config config = new Config();
    config.setLockWatchdogTimeout(FailoverTiming.LEASE.toMillis());
    config.useSingleServer().setAddress(server);
    lock = Redisson.create(config).getLock(election);
  }

  @Override
  public void join() {
    lock.lock();
    leads = true;
  }

  @Override
  public boolean mayAct() {
    return leads;
  }

  @Override
  public void stepDown() {
    leads = false;
    lock.unlock();
  }
}
