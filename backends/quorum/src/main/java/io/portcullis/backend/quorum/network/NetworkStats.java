package io.portcullis.backend.quorum.network;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counters of sent, received, dropped and rejected traffic. Thread-safe. */
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

  /** Frames queued for sending, including those of the transport itself. */
  public long framesSent() {
    return framesSent.get();
  }

  /** Frames that passed all checks, including those of the transport itself. */
  public long framesReceived() {
    return framesReceived.get();
  }

  /** Bytes sent, before encryption. */
  public long bytesSent() {
    return bytesSent.get();
  }

  /** Bytes received, after decryption. */
  public long bytesReceived() {
    return bytesReceived.get();
  }

  /** Messages dropped because there was no connection or its queue was full. */
  public long droppedSends() {
    return droppedSends.get();
  }

  /** Connections closed because nothing was received for too long. */
  public long silentLinks() {
    return silentLinks.get();
  }

  /** Connections that are open now, including those in their handshake. */
  public long connections() {
    return connections.get();
  }

  /** Connections that this node rejected for this reason. */
  public long refused(RejectReason why) {
    return of(refused, why).get();
  }

  /** Connections that the other side, by its unauthenticated report, rejected for this reason. */
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
      throw new AssertionError("no counter for " + why);
    }
    return count;
  }
}
