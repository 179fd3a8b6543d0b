package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.portcullis.servers.kubernetes.LeaseClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A competitor that treats a Lease as client-go's elector does: the same rules in the same order,
 * with release on cancel.
 */
final class ClientGoElector implements AutoCloseable {
  private static final double JITTER = 1.2;

  private final LeaseClient leases;
  private final String name;
  private final String identity;
  private final int leaseSeconds;
  private final Duration renewDeadline;
  private final Duration retry;
  private final Thread thread;
  private @Nullable ObjectNode lease;
  private @Nullable ClientGoRecord compared;
  private volatile @Nullable ClientGoRecord observed;
  private volatile long observedAtNanos;
  private volatile boolean leads;
  private volatile boolean cancelled;
  private volatile boolean crashed;

  ClientGoElector(LeaseFixture site, String identity) {
    this.leases = site.cluster().leases();
    this.name = site.name();
    this.identity = identity;
    this.leaseSeconds = (int) site.timing().lease().toSeconds();
    this.renewDeadline = site.timing().renewDeadline();
    this.retry = site.timing().renew();
    this.thread = new Thread(this::run, "go-" + identity);
    thread.setDaemon(true);
  }

  static ClientGoElector started(LeaseFixture site, String identity) {
    ClientGoElector elector = new ClientGoElector(site, identity);
    elector.thread.start();
    return elector;
  }

  /** Whether its work runs: from the start of leading to the end of its context. */
  boolean leads() {
    return leads && !crashed;
  }

  /** The leader that it knows; empty if none. */
  String leader() {
    ClientGoRecord seen = observed;
    return seen == null ? "" : seen.holder();
  }

  /** Stops without releasing. */
  void crash() {
    crashed = true;
  }

  /** Cancels its context: it stops its work, then releases. */
  @Override
  public void close() {
    leads = false;
    cancelled = true;
    try {
      TimeUnit.SECONDS.timedJoin(thread, 10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!isOver() && !tried()) {
      pause(retry.plusNanos((long) (retry.toNanos() * JITTER * chance())));
    }
    leads = !isOver();
    while (!isOver() && renewedInTime()) {
      pause(retry);
    }
    leads = false;
    if (!crashed) {
      release();
    }
  }

  private boolean renewedInTime() {
    long due = System.nanoTime() + renewDeadline.toNanos();
    while (!isOver() && due - System.nanoTime() > 0) {
      if (tried()) {
        return true;
      }
      pause(retry);
    }
    return false;
  }

  private boolean isOver() {
    return cancelled || crashed;
  }

  private void pause(Duration time) {
    long due = System.nanoTime() + time.toNanos();
    while (!isOver() && due - System.nanoTime() > 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private static double chance() {
    return ThreadLocalRandom.current().nextDouble();
  }

  private boolean tried() {
    try {
      return acquiredOrRenewed();
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  private boolean acquiredOrRenewed() {
    Instant now = Instant.now();
    long nowNanos = System.nanoTime();
    ClientGoRecord known = observed;
    if (known != null && known.holder().equals(identity) && isValid(nowNanos)) {
      try {
        update(
            new ClientGoRecord(identity, leaseSeconds, known.acquired(), now, known.transitions()));
        return true;
      } catch (KubernetesClientException e) {
        // Conflict, or no response: the slow path.
      }
    }
    Optional<ObjectNode> there = leases.read(name);
    if (there.isEmpty()) {
      ClientGoRecord mine = new ClientGoRecord(identity, leaseSeconds, now, now, 0);
      lease = leases.create(name, mine.into(JsonNodeFactory.instance.objectNode()));
      observe(mine);
      return true;
    }
    lease = there.get();
    ClientGoRecord old = ClientGoRecord.in(lease);
    if (compared == null || !compared.looksLike(old)) {
      observe(old);
      compared = old;
    }
    boolean mine = leader().equals(identity);
    if (!old.holder().isEmpty() && isValid(nowNanos) && !mine) {
      return false;
    }
    update(
        new ClientGoRecord(
            identity,
            leaseSeconds,
            mine ? old.acquired() : now,
            now,
            mine ? old.transitions() : old.transitions() + 1));
    return true;
  }

  private boolean isValid(long nowNanos) {
    ClientGoRecord seen = observed;
    long length = TimeUnit.SECONDS.toNanos(seen == null ? 0 : seen.seconds());
    return observedAtNanos + length - nowNanos > 0;
  }

  private void observe(ClientGoRecord seen) {
    observed = seen;
    observedAtNanos = System.nanoTime();
  }

  private void update(ClientGoRecord next) {
    ObjectNode changed = lease == null ? JsonNodeFactory.instance.objectNode() : lease.deepCopy();
    next.into(changed.withObject("/spec"));
    lease = leases.replace(name, changed);
    observe(next);
  }

  private void release() {
    while (true) {
      try {
        Optional<ObjectNode> there = leases.read(name);
        if (there.isEmpty() || !leader().equals(identity)) {
          return;
        }
        lease = there.get();
        Instant now = Instant.now();
        update(new ClientGoRecord("", 1, now, now, ClientGoRecord.in(lease).transitions()));
        return;
      } catch (KubernetesClientException e) {
        if (e.getCode() != 409) {
          return;
        }
      }
    }
  }
}
