package io.portcullis.backend.quorum.network;

/** Hears what arrives, on the thread that turns the network. */
public interface MessageReceiver {

  /**
   * A checked link with this member has come up, with the process named. There may have been others
   * with the same process before, and that one may have lost them and had links with another
   * process of this member since.
   */
  void linked(int member, PeerProcess peer);

  /** There is no link with this member any more. */
  void unlinked(int member);

  /** Another process of this node's own member answers where the member is to be reached. */
  void duplicateFound(String identity);

  /** A message of this member has arrived and passed every check. */
  void received(int member, byte[] payload);
}
