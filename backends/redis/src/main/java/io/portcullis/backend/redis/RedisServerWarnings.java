package io.portcullis.backend.redis;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once what is worth knowing about a server's set-up. */
final class RedisServerWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(RedisServerWarnings.class);

  /** No question is sent later; one that is not answered ends with the next request's time. */
  private static final Duration INFO_TIMEOUT = Duration.ofSeconds(10);

  private final RedisStorePlan plan;
  private boolean opened;
  private boolean infoUnavailable;

  RedisServerWarnings(RedisStorePlan plan) {
    this.plan = plan;
  }

  /** Looks at the server behind the first connection. */
  void onOpened(RedisConnection line) {
    if (opened) {
      return;
    }
    opened = true;
    long deadline = System.nanoTime() + INFO_TIMEOUT.toNanos();
    line.info("memory", deadline)
        .thenAccept(this::onMemory)
        .exceptionally(RedisServerWarnings::ignore);
    line.info("persistence", deadline)
        .thenAccept(this::onPersistence)
        .exceptionally(RedisServerWarnings::ignore);
    line.info("replication", deadline)
        .thenAccept(this::onReplication)
        .exceptionally(RedisServerWarnings::ignore);
  }

  /** Without the right to ask nothing is said: the first answer tells that it is missing. */
  private static Void ignore(Throwable failure) {
    LOG.debug("INFO was not answered", failure);
    return null;
  }

  private void onMemory(String info) {
    String policy = field(info, "maxmemory_policy");
    if (!policy.isEmpty() && !policy.equals("noeviction")) {
      LOG.warn(
          "{}: maxmemory-policy is {}: Redis may evict the lease and its record, and then forgets"
              + " who leads; set noeviction",
          plan.describe(),
          policy);
    }
  }

  private void onPersistence(String info) {
    if (field(info, "aof_enabled").equals("0")) {
      LOG.info(
          "{}: appendonly is off: after a restart Redis has forgotten the latest lease, and nobody"
              + " leads until it has run for the longest lease and a second",
          plan.describe());
    }
  }

  private void onReplication(String info) {
    String replicas = field(info, "connected_slaves");
    if (plan.replicas() == 0 && !replicas.isEmpty() && !replicas.equals("0")) {
      LOG.warn(
          "{}: has {} replicas, but redis.replicas is 0: a failover may forget a lease that was"
              + " granted, and then two nodes lead; set redis.replicas to 1 or more",
          plan.describe(),
          replicas);
    }
  }

  /** The server does not say which life it is in, or how old it is. */
  void onInfoUnavailable() {
    if (infoUnavailable) {
      return;
    }
    infoUnavailable = true;
    LOG.warn(
        "{}: INFO is not allowed, so a restart can't be told from a lost connection: after each"
            + " one this node waits for the longest lease before it may lead, and a replica is not"
            + " recognised as one. Allow it with: ACL SETUSER <user> +info",
        plan.describe());
  }

  private static String field(String info, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":([^\\r\\n]*)").matcher(info);
    return line.find() ? line.group(1) : "";
  }
}
