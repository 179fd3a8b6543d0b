package io.portcullis.backend.quorum.network;

import org.jspecify.annotations.Nullable;

/** Why a connection was rejected. */
public enum RejectReason {
  /** The data is not a frame of this protocol, or not a frame that is allowed at this point. */
  MALFORMED(1, "not this protocol: does something else use this port?"),

  /** The length of a frame exceeds the maximum. */
  TOO_LONG(2, "not this protocol: does something else, or TLS, use this port?"),

  /** A frame of another version of the protocol. */
  VERSION(3, "another version of the protocol: run compatible versions on all nodes"),

  /** A member of another cluster. */
  CLUSTER(4, "another cluster: quorum.members of one election names a node of another one"),

  /** A member with another list of members. */
  LIST(5, "another member list: quorum.members must be the same on all nodes"),

  /** The seal is missing, forged, or made for another frame number or connection. */
  SEAL(6, "the seal does not match: all nodes must share a secret, or all must have none"),

  /** A member that is not in the list, or not the one expected at this address. */
  STRANGER(7, "not the member expected: does quorum.members name each node's own address?"),

  /** The handshake was not finished in time. */
  TIMEOUT(8, "the handshake was not finished in time"),

  /** Too many connections were waiting for their handshake. */
  TOO_MANY(9, "too many connections without a handshake: what else reaches this port?"),

  /** The TLS handshake failed, or the data after it was not TLS. */
  TLS(10, "TLS failed: all nodes need TLS and certificates of the cluster's own CA"),

  /** Another live process of the same member is connected. */
  DOUBLE(11, "another process of this member runs: give each its own quorum.self, or stop one");

  private final int code;
  private final String remedy;

  RejectReason(int code, String remedy) {
    this.code = code;
    this.remedy = remedy;
  }

  /** The code sent to the other side. */
  int code() {
    return code;
  }

  /** A description for the operator, with a remedy where there is one. */
  String remedy() {
    return remedy;
  }

  static @Nullable RejectReason of(int code) {
    for (RejectReason reason : values()) {
      if (reason.code == code) {
        return reason;
      }
    }
    return null;
  }
}
