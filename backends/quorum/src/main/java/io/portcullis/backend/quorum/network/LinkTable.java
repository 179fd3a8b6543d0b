package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import io.portcullis.backend.quorum.network.Network.MessageReceiver;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The live connections with each member, and the process that runs as it. The first is the one that
 * was established or delivered a message most recently: when two nodes have dialled each other at
 * the same time, both then send on the same connection, and neither waits for a response on a
 * connection on which none will arrive.
 *
 * <p>Only one process may run as a member. While a connection with it is live, any other process of
 * that member is rejected, because it could vote a second time. The connected process is then
 * pinged; if it does not respond, its connection is closed and the other process can connect.
 */
final class LinkTable {
  private final List<Entry> entries;

  private static final class Entry {
    final Deque<PeerConnection> connections = new ArrayDeque<>();
    @Nullable PeerProcess peer;
  }

  LinkTable(int size) {
    entries = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      entries.add(new Entry());
    }
  }

  boolean isLinked(int member) {
    return !entries.get(member).connections.isEmpty();
  }

  /** The connection to send on, null if there is none. */
  @Nullable PeerConnection liveliest(int member) {
    return entries.get(member).connections.peekFirst();
  }

  /** A message has arrived on this connection. */
  void markReceived(PeerConnection connection) {
    Deque<PeerConnection> connections = entries.get(connection.member()).connections;
    if (connections.peekFirst() != connection && connections.remove(connection)) {
      connections.addFirst(connection);
    }
  }

  /** Rejects a process if another process of its member is connected. */
  void check(int member, String identity, long nowNanos) throws RejectedException {
    Entry entry = entries.get(member);
    PeerProcess connected = entry.peer;
    if (connected != null && !connected.identity().equals(identity)) {
      entry.connections.forEach(connection -> connection.challenge(nowNanos));
      throw new RejectedException(
          RejectReason.DOUBLE,
          connected.identity() + " is connected, and " + identity + " tries to connect",
          connected.identity());
    }
  }

  /**
   * Adds an established connection.
   *
   * @return the oldest connections beyond the limit, which it replaces
   */
  List<PeerConnection> add(PeerConnection connection, PeerProcess peer, MessageReceiver receiver) {
    Entry entry = entries.get(connection.member());
    List<PeerConnection> replaced = new ArrayList<>();
    entry.connections.addFirst(connection);
    while (entry.connections.size() > NetworkLimits.MAX_LINKS_PER_MEMBER) {
      replaced.add(entry.connections.removeLast());
    }
    entry.peer = peer;
    receiver.linked(connection.member(), peer);
    return replaced;
  }

  /** Removes a closed connection; returns whether it was the last one with its member. */
  boolean remove(PeerConnection connection, MessageReceiver receiver) {
    Entry entry = entries.get(connection.member());
    if (!entry.connections.remove(connection) || !entry.connections.isEmpty()) {
      return false;
    }
    entry.peer = null;
    receiver.unlinked(connection.member());
    return true;
  }
}
