package io.portcullis.backend.quorum.network;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.servers.LoopbackPort;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two processes that both say to be one member. */
class DuplicateProcessTest {
  private static final String SECRET = "0123456789abcdef";

  @Test
  void anotherProcessOfALinkedMemberIsRefusedAsLongAsTheFirstLives() throws Exception {
    List<MemberEndpoint> members = twoOfWhomOneCanNotBeReached();
    try (NetworkNodeFixture a =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET));
        NetworkNodeFixture first = NetworkNodeFixture.open(elsewhere(members, "first"))) {
      await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && first.isLinkedWith(0));
      try (NetworkNodeFixture second = NetworkNodeFixture.open(elsewhere(members, "second"))) {
        long endNanos = System.nanoTime() + NetworkNodeFixture.PATIENCE.multipliedBy(3).toNanos();

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
  void aProcessThatShowsNoSignOfLifeMakesRoomForTheNext() throws Exception {
    List<MemberEndpoint> members = twoOfWhomOneCanNotBeReached();
    try (NetworkNodeFixture a =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET));
        Network stopped = Network.open(elsewhere(members, "stopped"))) {
      await()
          .atMost(MAX_WAIT)
          .pollInSameThread()
          .until(
              () -> {
                stopped.turn(0, new NetworkNodeFixture.IgnoringReceiver());
                return a.isLinkedWith(1);
              });

      try (NetworkNodeFixture next = NetworkNodeFixture.open(elsewhere(members, "next"))) {
        await().atMost(MAX_WAIT).until(() -> next.isLinkedWith(0));
        await().atMost(MAX_WAIT).until(() -> a.events.contains("linked 1 next"));
      }
      assertThat(a.events).startsWith("linked 1 stopped", "unlinked 1", "linked 1 next");
      assertThat(a.traffic().silentLinks()).isEqualTo(1);
    }
  }

  @Test
  void whoFindsAnotherProcessAtItsOwnAddressIsTold() throws Exception {
    List<MemberEndpoint> members = List.of(NetworkNodeFixture.member("n0", LoopbackPort.free()));
    try (NetworkNodeFixture there =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "there", SECRET));
        NetworkNodeFixture elsewhere =
            NetworkNodeFixture.open(
                NetworkNodeFixture.listeningAt(
                    NetworkNodeFixture.config(members, 0, "elsewhere", SECRET), 0))) {
      await().atMost(MAX_WAIT).until(() -> elsewhere.events.contains("doubled by there"));

      assertThat(there.events).isEmpty();
      assertThat(there.traffic().refused(RejectReason.DOUBLE)).isPositive();
    }
  }

  @Test
  void whoFindsItselfAtItsOwnAddressIsTheOnlyOne() throws Exception {
    List<MemberEndpoint> members = List.of(NetworkNodeFixture.member("n0", LoopbackPort.free()));
    try (NetworkNodeFixture alone =
        NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "alone", SECRET))) {
      await().atMost(MAX_WAIT).until(() -> alone.traffic().framesReceived() > 0);
      await().atMost(MAX_WAIT).until(() -> alone.traffic().connections() == 0);

      assertThat(alone.events).isEmpty();
      assertThat(alone.traffic().refused(RejectReason.DOUBLE)).isZero();
    }
  }

  private static List<MemberEndpoint> twoOfWhomOneCanNotBeReached() throws IOException {
    return List.of(
        NetworkNodeFixture.member("n0", LoopbackPort.free()),
        NetworkNodeFixture.member("n1", LoopbackPort.free()));
  }

  private static NetworkConfig elsewhere(List<MemberEndpoint> members, String identity) {
    return NetworkNodeFixture.listeningAt(
        NetworkNodeFixture.config(members, 1, identity, SECRET), 0);
  }
}
