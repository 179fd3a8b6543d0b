package io.portcullis.backend.redis;

import io.portcullis.election.backend.OneTimeWarnings;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs risky settings of the server, once per store. */
final class RedisServerWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(RedisServerWarnings.class);

  /**
   * INFO is not sent later than this. A missing reply to it also delays the reply to the next
   * request, whose timeout then closes the connection.
   */
  private static final Duration INFO_TIMEOUT = Duration.ofSeconds(10);

  private final RedisStorePlan plan;
  private final OneTimeWarnings warnings = new OneTimeWarnings(LOG);

  RedisServerWarnings(RedisStorePlan plan) {
    this.plan = plan;
  }

  /** Reads the configuration of the server behind the first connection. */
  void onOpened(RedisConnection connection) {
    if (!warnings.isFirst("server settings")) {
      return;
    }
    long deadline = System.nanoTime() + INFO_TIMEOUT.toNanos();
    connection
        .info("memory", deadline)
        .thenAccept(this::onMemory)
        .exceptionally(RedisServerWarnings::ignore);
    connection
        .info("persistence", deadline)
        .thenAccept(this::onPersistence)
        .exceptionally(RedisServerWarnings::ignore);
    connection
        .info("replication", deadline)
        .thenAccept(this::onReplication)
        .exceptionally(RedisServerWarnings::ignore);
  }

  /** A missing right to INFO is logged by {@link #onInfoUnavailable}: the script detects it too. */
  private static Void ignore(Throwable failure) {
    LOG.debug("INFO failed", failure);
    return null;
  }

  private void onMemory(String info) {
    String policy = field(info, "maxmemory_policy");
    if (!policy.isEmpty() && !policy.equals("noeviction")) {
      LOG.warn(
          "{}: maxmemory-policy is {}: Redis may evict the lease and its record, and then no longer"
              + " knows who leads; set noeviction",
          plan.describe(),
          policy);
    }
  }

  private void onPersistence(String info) {
    if (!field(info, "aof_enabled").equals("0")) {
      return;
    }
    if (plan.newServer()) {
      LOG.warn(
          "{}: appendonly is off and redis.new-server is true: if Redis restarts, a node that has"
              + " just started may lead beside the leader for up to a lease; set one of them back",
          plan.describe());
    } else {
      LOG.info(
          "{}: appendonly is off: after a restart Redis does not know the latest lease, and no"
              + " node leads until it has run for the longest lease and a second",
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

  /** The server reports neither its run_id nor its uptime. */
  void onInfoUnavailable() {
    warnings.warn(
        "INFO",
        plan.describe()
            + ": INFO is not allowed, so a restart can't be distinguished from a lost connection:"
            + " after each new connection this node waits for the longest lease before it may lead,"
            + " and a replica is not recognised as one. Allow it with: ACL SETUSER <user> +info");
  }

  private static String field(String info, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":([^\\r\\n]*)").matcher(info);
    return line.find() ? line.group(1) : "";
  }
}
