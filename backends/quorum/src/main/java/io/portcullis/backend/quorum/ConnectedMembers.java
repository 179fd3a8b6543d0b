package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.network.NetworkConfig;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.election.store.MemberInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Which members are linked with this one, for people. Any thread may ask. */
final class ConnectedMembers {
  private final List<MemberEndpoint> members;
  private final int self;
  private final AtomicReferenceArray<@Nullable String> identities;

  ConnectedMembers(NetworkConfig links) {
    this.members = links.members();
    this.self = links.self();
    this.identities = new AtomicReferenceArray<>(members.size());
    identities.set(self, links.peer().identity());
  }

  void connected(int member, String identity) {
    identities.set(member, identity);
  }

  void disconnected(int member) {
    identities.set(member, null);
  }

  /** All others are gone: this member's own links are down. */
  void allDisconnected() {
    for (int member = 0; member < members.size(); member++) {
      if (member != self) {
        disconnected(member);
      }
    }
  }

  List<MemberInfo> members() {
    List<MemberInfo> companions = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      MemberEndpoint member = members.get(i);
      companions.add(
          new MemberInfo(
              member.id(), member.host() + ":" + member.port(), identities.get(i), i == self));
    }
    return companions;
  }
}
