package io.portcullis.backend.quorum.network;

import org.jspecify.annotations.Nullable;

/** Why a connection was turned away. */
public enum RejectReason {
  /** What came is no frame of this protocol, or not one that may come now. */
  MALFORMED(1, "it does not speak this protocol: does something else use this port?"),

  /** A frame was announced that is longer than any may be. */
  TOO_LONG(2, "it does not speak this protocol: does something else, or TLS, use this port?"),

  /** A frame of another version of the protocol. */
  VERSION(3, "another version of the protocol: run versions that fit on all nodes"),

  /** A member of another cluster. */
  CLUSTER(4, "another cluster: quorum.members of one election names a node of another one"),

  /** A member with another list of members. */
  LIST(5, "another member list: quorum.members must be the same on all nodes"),

  /** The seal is missing, forged, or made for another moment or link. */
  SEAL(6, "the seal does not fit: all nodes must share a secret, or all must have none"),

  /** A member that is not in the list, or not the one expected there. */
  STRANGER(7, "not the member expected: does quorum.members name each node's own address?"),

  /** The handshake was not finished in time. */
  TIMEOUT(8, "the handshake was not finished in time"),

  /** Too many connections were waiting for their handshake. */
  TOO_MANY(9, "too many connections without a handshake: who else reaches this port?"),

  /** The TLS handshake failed, or what came later was no TLS. */
  TLS(10, "TLS failed: all nodes need TLS and certificates of the cluster's own CA"),

  /** Another process of the same member is there, and it lives. */
  DOUBLE(11, "another process of this member runs: give each its own quorum.self, or end one");

  private final int code;
  private final String remedy;

  RejectReason(int code, String remedy) {
    this.code = code;
    this.remedy = remedy;
  }

  /** As told to the other side. */
  int code() {
    return code;
  }

  /** What it means and what an operator can do. */
  String remedy() {
    return remedy;
  }

  static @Nullable RejectReason of(int code) {
    for (RejectReason refusal : values()) {
      if (refusal.code == code) {
        return refusal;
      }
    }
    return null;
  }
}
