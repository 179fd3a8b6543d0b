package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is wrong with the others, counted each time and logged at most once a minute a kind, so that
 * nobody who reaches the port can fill the log.
 */
final class ThrottledWarnings {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String cluster;
  private final String identity;
  private final NetworkStats traffic;
  private final Map<Object, Long> loggedAtNanos = new HashMap<>();

  private record RejectedByPeer(RejectReason why) {}

  private record Unreachable(int member) {}

  ThrottledWarnings(String cluster, String identity, NetworkStats traffic) {
    this.cluster = cluster;
    this.identity = identity;
    this.traffic = traffic;
  }

  /** This node turned a connection away. */
  void refused(String from, RejectReason why, String detail, long nowNanos) {
    traffic.refuse(why);
    if (isDue(why, nowNanos)) {
      LOG.warn(
          "portcullis cluster={} refused a connection from={} why=\"{} ({})\"",
          cluster,
          from,
          why.remedy(),
          detail);
    }
  }

  /** The other side says that it turned us away, perhaps because of another process. */
  void refusedBy(String from, RejectReason why, @Nullable String other, long nowNanos) {
    traffic.refusedByPeer(why);
    if (isDue(new RejectedByPeer(why), nowNanos)) {
      LOG.warn(
          "portcullis cluster={} was refused a connection by={} why=\"{}{}\"",
          cluster,
          from,
          why.remedy(),
          other == null ? "" : " (this is " + identity + ", and it is linked with " + other + ")");
    }
  }

  void unreachable(int place, MemberEndpoint member, String why, long nowNanos) {
    if (isDue(new Unreachable(place), nowNanos)) {
      LOG.info("portcullis cluster={} can't reach member={} why=\"{}\"", cluster, member, why);
    }
  }

  void cannotAccept(String why, long nowNanos) {
    if (isDue("accept", nowNanos)) {
      LOG.warn("portcullis cluster={} can't accept connections why=\"{}\"", cluster, why);
    }
  }

  /** The keys are few: reasons and members. */
  private boolean isDue(Object key, long nowNanos) {
    Long last = loggedAtNanos.get(key);
    if (last != null && nowNanos - last < NetworkLimits.MIN_WARNING_INTERVAL_NANOS) {
      return false;
    }
    loggedAtNanos.put(key, nowNanos);
    return true;
  }
}
