package io.portcullis.backend.quorum.network;

/** Receives messages and connection events on the thread that calls {@link Network#turn}. */
public interface MessageReceiver {

  /**
   * An authenticated connection with this member's named process is established. There may have
   * been earlier connections with the same process; that process may have lost them and may have
   * had connections with another process of this member since.
   */
  void linked(int member, PeerProcess peer);

  /** The last connection with this member is closed. */
  void unlinked(int member);

  /** Another process of this node's own member answers at the member's configured address. */
  void duplicateFound(String identity);

  /** A message of this member has arrived and passed all checks. */
  void received(int member, byte[] payload);
}
