package io.portcullis.backend.quorum.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Dials every member with which there is no link: at once when a link that had lived is lost, then
 * after pauses that grow, with a random part so that two nodes do not keep in step. A host is
 * looked up before each call; if that fails, the last address known is tried.
 *
 * <p>First of all, and every while from then on, it calls its own address. The others are dialled
 * once it is known who answers there, or that nobody does, or when that has taken too long.
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
    long dueNanos;
    long pauseNanos = NetworkLimits.MIN_BACK_OFF_NANOS;
    boolean dialling;
    @Nullable CompletableFuture<List<InetAddress>> lookup;
    List<InetAddress> known = List.of();
    int attempts;

    Target(int member, long dueNanos) {
      this.member = member;
      this.dueNanos = dueNanos;
    }
  }

  PeerConnector(
      ClusterIdentity roster,
      HostResolver names,
      ThrottledWarnings complaints,
      ConnectAction connector,
      Runnable wake) {
    this.clusterIdentity = roster;
    this.hostResolver = names;
    this.warnings = complaints;
    this.connector = connector;
    this.wake = wake;
    startedNanos = System.nanoTime();
    for (int member = 0; member < roster.size(); member++) {
      targets.add(new Target(member, startedNanos));
    }
  }

  /** Dials whom it is time to dial. */
  void turn(LinkTable roll, long nowNanos) {
    for (Target target : targets) {
      if (!isFree(target, roll) || waitNanos(target, nowNanos) > 0) {
        continue;
      }
      if (target.lookup == null) {
        target.lookup = hostResolver.find(clusterIdentity.member(target.member).host());
        if (!target.lookup.isDone()) {
          var unused = target.lookup.whenComplete((found, failure) -> wake.run());
        }
      }
      if (target.lookup != null && target.lookup.isDone()) {
        dial(target, target.lookup, roll, nowNanos);
      }
    }
  }

  /** How long there will be nothing to do, unless a lookup ends. */
  long quietNanos(LinkTable roll, long nowNanos) {
    long quiet = Long.MAX_VALUE;
    for (Target target : targets) {
      if (isFree(target, roll) && target.lookup == null) {
        quiet = Math.min(quiet, waitNanos(target, nowNanos));
      }
    }
    return quiet;
  }

  /** Whether it is known by now if another process answers at the own address. */
  boolean hasCalledSelf(long nowNanos) {
    return calledSelf || nowNanos - startedNanos >= NetworkLimits.MAX_HANDSHAKE_NANOS;
  }

  private static boolean isFree(Target target, LinkTable roll) {
    return !target.dialling && !roll.isLinked(target.member);
  }

  private long waitNanos(Target target, long nowNanos) {
    long due = Math.max(0, target.dueNanos - nowNanos);
    return target.member == clusterIdentity.self() || hasCalledSelf(nowNanos)
        ? due
        : Math.max(due, startedNanos + NetworkLimits.MAX_HANDSHAKE_NANOS - nowNanos);
  }

  /** A call has led to a link. */
  void answered(int member) {
    targets.get(member).dialling = false;
  }

  /** A call has led to nothing. */
  void failed(int member, String why, LinkTable roll, long nowNanos) {
    Target target = targets.get(member);
    target.dialling = false;
    if (member == clusterIdentity.self()) {
      calledSelf = true; // Answered or not, it was a call for that alone.
      target.dueNanos = nowNanos + NetworkLimits.SELF_CHECK_INTERVAL_NANOS;
      return;
    }
    backOff(target, nowNanos);
    if (!roll.isLinked(member)) {
      warnings.unreachable(member, clusterIdentity.member(member), why, nowNanos);
    }
  }

  private static void backOff(Target target, long nowNanos) {
    long pause = target.pauseNanos;
    target.dueNanos = nowNanos + pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2);
    target.pauseNanos = Math.min(2 * pause, NetworkLimits.MAX_BACK_OFF_NANOS);
  }

  /**
   * The last link with a member is lost. One that ends as soon as it is up is no reason to hurry.
   */
  void lost(int member, long livedNanos, long nowNanos) {
    Target target = targets.get(member);
    if (livedNanos < NetworkLimits.MAX_BACK_OFF_NANOS) {
      backOff(target, nowNanos);
      return;
    }
    target.pauseNanos = NetworkLimits.MIN_BACK_OFF_NANOS;
    target.dueNanos = nowNanos;
  }

  private void dial(
      Target target, CompletableFuture<List<InetAddress>> lookup, LinkTable roll, long nowNanos) {
    target.lookup = null;
    String why = "unknown host";
    if (!lookup.isCompletedExceptionally()) {
      target.known = lookup.join();
    }
    if (!target.known.isEmpty()) {
      InetAddress address = target.known.get(Math.floorMod(target.attempts++, target.known.size()));
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
    failed(target.member, why, roll, nowNanos);
  }
}
