package io.portcullis.backend.quorum.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The live links with each member, and who speaks for it. First comes the one that has come up or
 * brought a message last: when two nodes have dialled each other at once, both then speak on the
 * same link, and none waits for an answer on one where none will come.
 */
final class Roll {
  private final List<Entry> entries;

  private static final class Entry {
    final Deque<Link> links = new ArrayDeque<>();
    @Nullable Peer peer;
  }

  Roll(int size) {
    entries = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      entries.add(new Entry());
    }
  }

  boolean isLinked(int member) {
    return !entries.get(member).links.isEmpty();
  }

  @Nullable Link liveliest(int member) {
    return entries.get(member).links.peekFirst();
  }

  /** A message has come over this link. */
  void heard(Link link) {
    Deque<Link> links = entries.get(link.member()).links;
    if (links.peekFirst() != link && links.remove(link)) {
      links.addFirst(link);
    }
  }

  /**
   * Adds a link that has come up.
   *
   * @return the links that it replaces: those with an earlier process, and the oldest beyond the
   *     bound
   */
  List<Link> add(Link link, Peer peer, Receiver receiver) {
    Entry entry = entries.get(link.member());
    List<Link> replaced = new ArrayList<>();
    boolean another = entry.peer == null || !entry.peer.identity().equals(peer.identity());
    if (another) {
      replaced.addAll(entry.links);
      entry.links.clear();
    }
    entry.links.addFirst(link);
    while (entry.links.size() > Bounds.LINKS_PER_MEMBER) {
      replaced.add(entry.links.removeLast());
    }
    entry.peer = peer;
    if (another) {
      receiver.linked(link.member(), peer);
    }
    return replaced;
  }

  /** Removes a link that has ended, and says whether it was the last one with its member. */
  boolean remove(Link link, Receiver receiver) {
    Entry entry = entries.get(link.member());
    if (!entry.links.remove(link) || !entry.links.isEmpty()) {
      return false;
    }
    entry.peer = null;
    receiver.unlinked(link.member());
    return true;
  }
}
