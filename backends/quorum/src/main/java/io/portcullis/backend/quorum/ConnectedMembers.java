package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.network.NetworkConfig;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.election.store.StoreFeatures.MemberInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The members that are connected to this one, for status reports. Thread-safe. */
final class ConnectedMembers {
  private final List<MemberEndpoint> members;
  private final int self;
  private final AtomicReferenceArray<@Nullable String> identities;

  ConnectedMembers(NetworkConfig network) {
    this.members = network.members();
    this.self = network.self();
    this.identities = new AtomicReferenceArray<>(members.size());
    identities.set(self, network.peer().identity());
  }

  void connected(int member, String identity) {
    identities.set(member, identity);
  }

  void disconnected(int member) {
    identities.set(member, null);
  }

  /** Records that this member's own network is closed, which ends every connection. */
  void allDisconnected() {
    for (int member = 0; member < members.size(); member++) {
      if (member != self) {
        disconnected(member);
      }
    }
  }

  List<MemberInfo> members() {
    List<MemberInfo> infos = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      MemberEndpoint member = members.get(i);
      infos.add(
          new MemberInfo(
              member.id(), member.host() + ":" + member.port(), identities.get(i), i == self));
    }
    return infos;
  }
}
