package io.portcullis.benchmarks.failover;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.config.Config;

/**
 * Leader election with a Redisson lock: the node that holds the lock leads, and a flag records it.
 * The watchdog renews the lock. A waiting node is notified of an unlock through publish and
 * subscribe, and otherwise retries when the lock's time is over.
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
