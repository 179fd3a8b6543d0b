package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Frame.FrameType;
import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/**
 * The cluster, its member list and this node's index in the list. Every frame starts with a header
 * that contains them.
 */
final class ClusterIdentity {
  static final int DIGEST_BYTES = 8;
  static final byte VERSION = 1;

  private static final int CLUSTER_AT = 2;
  private static final int LIST_AT = CLUSTER_AT + DIGEST_BYTES;

  private final List<MemberEndpoint> members;
  private final int self;
  private final byte[] clusterDigest;
  private final byte[] listDigest;

  ClusterIdentity(String cluster, List<MemberEndpoint> members, int self) {
    this.members = members;
    this.self = self;
    MessageDigest digest = sha256();
    this.clusterDigest =
        Arrays.copyOf(digest.digest(cluster.getBytes(StandardCharsets.UTF_8)), DIGEST_BYTES);
    for (MemberEndpoint member : members) {
      update(digest, member.id());
      update(digest, member.host());
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, member.port()));
    }
    this.listDigest = Arrays.copyOf(digest.digest(), DIGEST_BYTES);
  }

  int self() {
    return self;
  }

  int size() {
    return members.size();
  }

  MemberEndpoint member(int index) {
    return members.get(index);
  }

  /** Encodes a frame of this node, without its seal. */
  byte[] frame(FrameType kind, byte[] body) {
    return ByteBuffer.allocate(NetworkLimits.HEADER_BYTES + body.length)
        .put(VERSION)
        .put((byte) self)
        .put(clusterDigest)
        .put(listDigest)
        .put(kind.code())
        .put(body)
        .array();
  }

  /**
   * Returns the sender's index; rejects a frame of another cluster, another list or an unknown
   * member.
   */
  int checkedSender(byte[] raw) throws RejectedException {
    if (!Arrays.equals(raw, CLUSTER_AT, LIST_AT, clusterDigest, 0, DIGEST_BYTES)) {
      throw new RejectedException(RejectReason.CLUSTER, "its cluster id differs from ours");
    }
    if (!Arrays.equals(raw, LIST_AT, LIST_AT + DIGEST_BYTES, listDigest, 0, DIGEST_BYTES)) {
      throw new RejectedException(RejectReason.LIST, "its ids, hosts or ports differ from ours");
    }
    int sender = Byte.toUnsignedInt(raw[1]);
    if (sender >= members.size()) {
      throw new RejectedException(RejectReason.STRANGER, "it claims to be member " + sender);
    }
    return sender;
  }

  /** Adds the text with its length, so that two different lists never give the same bytes. */
  private static void update(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
