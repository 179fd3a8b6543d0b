package io.portcullis.backend.quorum.net;

/** Hears what arrives, on the thread that turns the network. */
public interface Receiver {

  /** There is a checked link with this member now, or its process is another one than before. */
  void linked(int member, Peer peer);

  /** There is no link with this member any more. */
  void unlinked(int member);

  /** A message of this member has arrived and passed every check. */
  void received(int member, byte[] payload);
}
