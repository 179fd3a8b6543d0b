package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.net.Member;
import io.portcullis.backend.quorum.net.NetworkConfig;
import io.portcullis.election.store.Companion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Which members are linked with this one, for people. Any thread may ask. */
final class Attendance {
  private final List<Member> members;
  private final int self;
  private final AtomicReferenceArray<@Nullable String> identities;

  Attendance(NetworkConfig links) {
    this.members = links.members();
    this.self = links.self();
    this.identities = new AtomicReferenceArray<>(members.size());
    identities.set(self, links.peer().identity());
  }

  void came(int member, String identity) {
    identities.set(member, identity);
  }

  void went(int member) {
    identities.set(member, null);
  }

  /** All others are gone: this member's own links are down. */
  void allWent() {
    for (int member = 0; member < members.size(); member++) {
      if (member != self) {
        went(member);
      }
    }
  }

  List<Companion> companions() {
    List<Companion> companions = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      companions.add(
          new Companion(
              member.id(), member.host() + ":" + member.port(), identities.get(i), i == self));
    }
    return companions;
  }
}
