package io.portcullis.backend.quorum.network;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.servers.LoopbackPort;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests two processes that connect as the same member. */
class DuplicateProcessTest {
  private static final String SECRET = "0123456789abcdef";

  @Test
  void secondProcessIsRejectedWhileTheFirstIsAlive() throws Exception {
    List<MemberEndpoint> members = twoMembers();
    try (NetworkNodeFixture a =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET));
        NetworkNodeFixture first = NetworkNodeFixture.open(onOtherPort(members, "first"))) {
      await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && first.isLinkedWith(0));
      try (NetworkNodeFixture second = NetworkNodeFixture.open(onOtherPort(members, "second"))) {
        long endNanos =
            System.nanoTime() + NetworkNodeFixture.RESPONSE_TIMEOUT.multipliedBy(3).toNanos();

        await().atMost(MAX_WAIT).until(() -> System.nanoTime() - endNanos > 0);
        await()
            .atMost(MAX_WAIT)
            .until(() -> second.traffic().refusedByPeers(RejectReason.DOUBLE) > 0);

        assertThat(a.events).containsExactly("linked 1 first");
        assertThat(second.events).isEmpty();
        assertThat(a.traffic().refused(RejectReason.DOUBLE)).isPositive();
      }
    }
  }

  @Test
  void unresponsiveProcessIsReplacedByTheNextOne() throws Exception {
    List<MemberEndpoint> members = twoMembers();
    try (NetworkNodeFixture a =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET));
        Network stopped = Network.open(onOtherPort(members, "stopped"))) {
      await()
          .atMost(MAX_WAIT)
          .pollInSameThread()
          .until(
              () -> {
                stopped.turn(0, new NetworkNodeFixture.IgnoringReceiver());
                return a.isLinkedWith(1);
              });

      try (NetworkNodeFixture next = NetworkNodeFixture.open(onOtherPort(members, "next"))) {
        await().atMost(MAX_WAIT).until(() -> next.isLinkedWith(0));
        await().atMost(MAX_WAIT).until(() -> a.events.contains("linked 1 next"));
      }
      assertThat(a.events).startsWith("linked 1 stopped", "unlinked 1", "linked 1 next");
      assertThat(a.traffic().silentLinks()).isEqualTo(1);
    }
  }

  @Test
  void otherProcessAtTheOwnAddressIsReported() throws Exception {
    List<MemberEndpoint> members = List.of(NetworkNodeFixture.member("n0", LoopbackPort.free()));
    try (NetworkNodeFixture listed =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "listed", SECRET));
        NetworkNodeFixture duplicate =
            NetworkNodeFixture.open(
                NetworkNodeFixture.listeningAt(
                    NetworkNodeFixture.config(members, 0, "duplicate", SECRET), 0))) {
      await().atMost(MAX_WAIT).until(() -> duplicate.events.contains("duplicate of listed"));

      assertThat(listed.events).isEmpty();
      assertThat(listed.traffic().refused(RejectReason.DOUBLE)).isPositive();
    }
  }

  @Test
  void ownProcessAtTheOwnAddressIsNoDuplicate() throws Exception {
    List<MemberEndpoint> members = List.of(NetworkNodeFixture.member("n0", LoopbackPort.free()));
    try (NetworkNodeFixture alone =
        NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "alone", SECRET))) {
      await().atMost(MAX_WAIT).until(() -> alone.traffic().framesReceived() > 0);
      await().atMost(MAX_WAIT).until(() -> alone.traffic().connections() == 0);

      assertThat(alone.events).isEmpty();
      assertThat(alone.traffic().refused(RejectReason.DOUBLE)).isZero();
    }
  }

  private static List<MemberEndpoint> twoMembers() throws IOException {
    return List.of(
        NetworkNodeFixture.member("n0", LoopbackPort.free()),
        NetworkNodeFixture.member("n1", LoopbackPort.free()));
  }

  private static NetworkConfig onOtherPort(List<MemberEndpoint> members, String identity) {
    return NetworkNodeFixture.listeningAt(
        NetworkNodeFixture.config(members, 1, identity, SECRET), 0);
  }
}
