package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts problems with other nodes and logs them, at most once a minute per kind, so that no client
 * that reaches the port can fill the log. A rate limit and not {@code OneTimeWarnings}, because
 * members become unreachable again, and the log should show when.
 */
final class ThrottledWarnings {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String cluster;
  private final String identity;
  private final NetworkStats stats;
  private final Map<Object, Long> loggedAtNanos = new HashMap<>();

  private record RejectedByPeer(RejectReason why) {}

  private record Unreachable(int member) {}

  ThrottledWarnings(String cluster, String identity, NetworkStats stats) {
    this.cluster = cluster;
    this.identity = identity;
    this.stats = stats;
  }

  /** This node rejected a connection. */
  void refused(String from, RejectReason why, String detail, long nowNanos) {
    stats.refuse(why);
    if (isDue(why, nowNanos)) {
      LOG.warn(
          "portcullis cluster={} refused a connection from={} why=\"{} ({})\"",
          cluster,
          from,
          why.remedy(),
          detail);
    }
  }

  /** The other side reports that it rejected this node, possibly because of another process. */
  void refusedBy(String from, RejectReason why, @Nullable String other, long nowNanos) {
    stats.refusedByPeer(why);
    if (isDue(new RejectedByPeer(why), nowNanos)) {
      LOG.warn(
          "portcullis cluster={} was refused a connection by={} why=\"{}{}\"",
          cluster,
          from,
          why.remedy(),
          other == null ? "" : " (this is " + identity + ", and it is connected to " + other + ")");
    }
  }

  void unreachable(int index, MemberEndpoint member, String why, long nowNanos) {
    if (isDue(new Unreachable(index), nowNanos)) {
      LOG.info("portcullis cluster={} can't reach member={} why=\"{}\"", cluster, member, why);
    }
  }

  void cannotAccept(String why, long nowNanos) {
    if (isDue("accept", nowNanos)) {
      LOG.warn("portcullis cluster={} can't accept connections why=\"{}\"", cluster, why);
    }
  }

  /** The map stays small: its keys are reasons and members. */
  private boolean isDue(Object key, long nowNanos) {
    Long last = loggedAtNanos.get(key);
    if (last != null && nowNanos - last < NetworkLimits.MIN_WARNING_INTERVAL_NANOS) {
      return false;
    }
    loggedAtNanos.put(key, nowNanos);
    return true;
  }
}
