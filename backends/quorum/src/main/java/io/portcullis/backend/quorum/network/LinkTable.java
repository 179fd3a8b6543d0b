package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The live links with each member, and who speaks for it. First comes the one that has come up or
 * brought a message last: when two nodes have dialled each other at once, both then speak on the
 * same link, and none waits for an answer on one where none will come.
 *
 * <p>One process speaks for a member. As long as a link with it lives, no other process of that
 * member is let in: it could vote a second time. The living one is asked to show that it does; one
 * that does not makes room.
 */
final class LinkTable {
  private final List<Entry> entries;

  private static final class Entry {
    final Deque<PeerConnection> links = new ArrayDeque<>();
    @Nullable PeerProcess peer;
  }

  LinkTable(int size) {
    entries = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      entries.add(new Entry());
    }
  }

  boolean isLinked(int member) {
    return !entries.get(member).links.isEmpty();
  }

  @Nullable PeerConnection liveliest(int member) {
    return entries.get(member).links.peekFirst();
  }

  /** A message has come over this link. */
  void heard(PeerConnection link) {
    Deque<PeerConnection> links = entries.get(link.member()).links;
    if (links.peekFirst() != link && links.remove(link)) {
      links.addFirst(link);
    }
  }

  /** Refuses a process if another one of its member speaks for that. */
  void check(int member, String identity, long nowNanos) throws RejectedException {
    Entry entry = entries.get(member);
    PeerProcess speaks = entry.peer;
    if (speaks != null && !speaks.identity().equals(identity)) {
      entry.links.forEach(link -> link.challenge(nowNanos));
      throw new RejectedException(
          RejectReason.DOUBLE,
          "linked is " + speaks.identity() + ", and now " + identity + " calls",
          speaks.identity());
    }
  }

  /**
   * Adds a link that has come up.
   *
   * @return the oldest links beyond the bound, which it replaces
   */
  List<PeerConnection> add(PeerConnection link, PeerProcess peer, MessageReceiver receiver) {
    Entry entry = entries.get(link.member());
    List<PeerConnection> replaced = new ArrayList<>();
    entry.links.addFirst(link);
    while (entry.links.size() > NetworkLimits.MAX_LINKS_PER_MEMBER) {
      replaced.add(entry.links.removeLast());
    }
    entry.peer = peer;
    receiver.linked(link.member(), peer);
    return replaced;
  }

  /** Removes a link that has ended, and says whether it was the last one with its member. */
  boolean remove(PeerConnection link, MessageReceiver receiver) {
    Entry entry = entries.get(link.member());
    if (!entry.links.remove(link) || !entry.links.isEmpty()) {
      return false;
    }
    entry.peer = null;
    receiver.unlinked(link.member());
    return true;
  }
}
