package io.portcullis.backend.quorum.network;

import io.portcullis.election.backend.RetryBackoff;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Dials every member with which there is no connection: immediately when an established connection
 * is lost, then with exponential backoff and jitter, so that two nodes do not dial in step. A host
 * is looked up before each attempt; if that fails, the last known address is used.
 *
 * <p>First of all, and then at a fixed interval, it dials its own address, to detect another
 * process of this member. The other members are dialled once that check has completed or taken too
 * long.
 */
final class PeerConnector {
  private final ClusterIdentity clusterIdentity;
  private final HostResolver hostResolver;
  private final ThrottledWarnings warnings;
  private final ConnectAction connector;
  private final Runnable wake;
  private final List<Target> targets = new ArrayList<>();
  private final long startedNanos;
  private boolean calledSelf;

  /** Starts a connection. */
  interface ConnectAction {
    void connect(int member, InetSocketAddress address) throws IOException;
  }

  private static final class Target {
    final int member;
    final RetryBackoff backoff = new RetryBackoff(NetworkLimits.RECONNECT_BACKOFF);
    long dueNanos;
    boolean dialling;
    @Nullable CompletableFuture<List<InetAddress>> lookup;
    List<InetAddress> addresses = List.of();
    int attempts;

    Target(int member, long dueNanos) {
      this.member = member;
      this.dueNanos = dueNanos;
    }
  }

  PeerConnector(
      ClusterIdentity clusterIdentity,
      HostResolver hostResolver,
      ThrottledWarnings warnings,
      ConnectAction connector,
      Runnable wake) {
    this.clusterIdentity = clusterIdentity;
    this.hostResolver = hostResolver;
    this.warnings = warnings;
    this.connector = connector;
    this.wake = wake;
    startedNanos = System.nanoTime();
    for (int member = 0; member < clusterIdentity.size(); member++) {
      targets.add(new Target(member, startedNanos));
    }
  }

  /** Dials the members that are due. */
  void turn(LinkTable linkTable, long nowNanos) {
    for (Target target : targets) {
      if (!isFree(target, linkTable) || waitNanos(target, nowNanos) > 0) {
        continue;
      }
      if (target.lookup == null) {
        target.lookup = hostResolver.find(clusterIdentity.member(target.member).host());
        if (!target.lookup.isDone()) {
          var unused = target.lookup.whenComplete((found, failure) -> wake.run());
        }
      }
      if (target.lookup != null && target.lookup.isDone()) {
        dial(target, target.lookup, linkTable, nowNanos);
      }
    }
  }

  /** For how long there is nothing to do unless a lookup completes. */
  long quietNanos(LinkTable linkTable, long nowNanos) {
    long quiet = Long.MAX_VALUE;
    for (Target target : targets) {
      if (isFree(target, linkTable) && target.lookup == null) {
        quiet = Math.min(quiet, waitNanos(target, nowNanos));
      }
    }
    return quiet;
  }

  /** Whether the check of this node's own address is complete or has taken too long. */
  boolean hasCalledSelf(long nowNanos) {
    return calledSelf || nowNanos - startedNanos >= NetworkLimits.MAX_HANDSHAKE_NANOS;
  }

  private static boolean isFree(Target target, LinkTable linkTable) {
    return !target.dialling && !linkTable.isLinked(target.member);
  }

  private long waitNanos(Target target, long nowNanos) {
    long due = Math.max(0, target.dueNanos - nowNanos);
    return target.member == clusterIdentity.self() || hasCalledSelf(nowNanos)
        ? due
        : Math.max(due, startedNanos + NetworkLimits.MAX_HANDSHAKE_NANOS - nowNanos);
  }

  /** An attempt has led to an established connection. */
  void answered(int member) {
    targets.get(member).dialling = false;
  }

  /** An attempt has failed. */
  void failed(int member, String why, LinkTable linkTable, long nowNanos) {
    Target target = targets.get(member);
    target.dialling = false;
    if (member == clusterIdentity.self()) {
      calledSelf = true; // The check is complete, whether or not there was a response.
      target.dueNanos = nowNanos + NetworkLimits.SELF_CHECK_INTERVAL_NANOS;
      return;
    }
    backOff(target, nowNanos);
    if (!linkTable.isLinked(member)) {
      warnings.unreachable(member, clusterIdentity.member(member), why, nowNanos);
    }
  }

  private static void backOff(Target target, long nowNanos) {
    target.dueNanos = nowNanos + target.backoff.nextPauseNanos();
  }

  /**
   * The last connection with a member is lost. It is redialled immediately, unless the connection
   * was short-lived.
   */
  void lost(int member, long ageNanos, long nowNanos) {
    Target target = targets.get(member);
    if (ageNanos < NetworkLimits.MIN_STABLE_NANOS) {
      backOff(target, nowNanos);
      return;
    }
    target.backoff.reset();
    target.dueNanos = nowNanos;
  }

  private void dial(
      Target target,
      CompletableFuture<List<InetAddress>> lookup,
      LinkTable linkTable,
      long nowNanos) {
    target.lookup = null;
    String why = "unknown host";
    if (!lookup.isCompletedExceptionally()) {
      target.addresses = lookup.join();
    }
    if (!target.addresses.isEmpty()) {
      int next = Math.floorMod(target.attempts++, target.addresses.size());
      InetAddress address = target.addresses.get(next);
      try {
        connector.connect(
            target.member,
            new InetSocketAddress(address, clusterIdentity.member(target.member).port()));
        target.dialling = true;
        return;
      } catch (IOException e) {
        why = e.toString();
      }
    }
    failed(target.member, why, linkTable, nowNanos);
  }
}
