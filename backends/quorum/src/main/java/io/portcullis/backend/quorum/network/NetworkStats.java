package io.portcullis.backend.quorum.network;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What has passed, what was dropped and what was refused so far. Any thread may read it. */
public final class NetworkStats {
  private final AtomicLong framesSent = new AtomicLong();
  private final AtomicLong framesReceived = new AtomicLong();
  private final AtomicLong bytesSent = new AtomicLong();
  private final AtomicLong bytesReceived = new AtomicLong();
  private final AtomicLong droppedSends = new AtomicLong();
  private final AtomicLong silentLinks = new AtomicLong();
  private final AtomicLong connections = new AtomicLong();
  private final Map<RejectReason, AtomicLong> refused = eachAtZero();
  private final Map<RejectReason, AtomicLong> refusedByPeers = eachAtZero();

  NetworkStats() {}

  /** Frames given to links, those of the transport itself included. */
  public long framesSent() {
    return framesSent.get();
  }

  /** Frames that passed every check, those of the transport itself included. */
  public long framesReceived() {
    return framesReceived.get();
  }

  /** Bytes given to the system, before TLS. */
  public long bytesSent() {
    return bytesSent.get();
  }

  /** Bytes taken from the system, after TLS. */
  public long bytesReceived() {
    return bytesReceived.get();
  }

  /** Messages dropped since there was no link or its queue was full. */
  public long droppedSends() {
    return droppedSends.get();
  }

  /** Links closed since nothing was heard for too long. */
  public long silentLinks() {
    return silentLinks.get();
  }

  /** Connections open at present, those in their handshake included. */
  public long connections() {
    return connections.get();
  }

  /** Connections that this node refused for this reason. */
  public long refused(RejectReason why) {
    return of(refused, why).get();
  }

  /**
   * Connections of which the other side said that it refuses for this reason. Nothing proves it.
   */
  public long refusedByPeers(RejectReason why) {
    return of(refusedByPeers, why).get();
  }

  void sentFrame() {
    framesSent.incrementAndGet();
  }

  void receivedFrame() {
    framesReceived.incrementAndGet();
  }

  void sentBytes(int bytes) {
    bytesSent.addAndGet(bytes);
  }

  void receivedBytes(int bytes) {
    bytesReceived.addAndGet(bytes);
  }

  void dropped() {
    droppedSends.incrementAndGet();
  }

  void silent() {
    silentLinks.incrementAndGet();
  }

  void opened() {
    connections.incrementAndGet();
  }

  void closed() {
    connections.decrementAndGet();
  }

  void refuse(RejectReason why) {
    of(refused, why).incrementAndGet();
  }

  void refusedByPeer(RejectReason why) {
    of(refusedByPeers, why).incrementAndGet();
  }

  private static Map<RejectReason, AtomicLong> eachAtZero() {
    return Arrays.stream(RejectReason.values())
        .collect(Collectors.toUnmodifiableMap(why -> why, why -> new AtomicLong()));
  }

  private static AtomicLong of(Map<RejectReason, AtomicLong> counts, RejectReason why) {
    @Nullable AtomicLong count = counts.get(why);
    if (count == null) {
      throw new AssertionError("no counter of " + why);
    }
    return count;
  }
}
