package io.portcullis.backend.quorum.net;

import static io.portcullis.election.contract.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.servers.LoopbackPort;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two processes that both say to be one member. */
class DoubleTest {
  private static final String SECRET = "0123456789abcdef";

  @Test
  void anotherProcessOfALinkedMemberIsRefusedAsLongAsTheFirstLives() throws Exception {
    List<Member> members = twoOfWhomOneCanNotBeReached();
    try (Node a = Node.open(Node.config(members, 0, "a", SECRET));
        Node first = Node.open(elsewhere(members, "first"))) {
      await().atMost(LONG).until(() -> a.isLinkedWith(1) && first.isLinkedWith(0));
      try (Node second = Node.open(elsewhere(members, "second"))) {
        long endNanos = System.nanoTime() + Node.PATIENCE.multipliedBy(3).toNanos();

        await().atMost(LONG).until(() -> System.nanoTime() - endNanos > 0);
        await().atMost(LONG).until(() -> second.traffic().refusedByPeers(Refusal.DOUBLE) > 0);

        assertThat(a.events).containsExactly("linked 1 first");
        assertThat(second.events).isEmpty();
        assertThat(a.traffic().refused(Refusal.DOUBLE)).isPositive();
      }
    }
  }

  @Test
  void aProcessThatShowsNoSignOfLifeMakesRoomForTheNext() throws Exception {
    List<Member> members = twoOfWhomOneCanNotBeReached();
    try (Node a = Node.open(Node.config(members, 0, "a", SECRET));
        Network stopped = Network.open(elsewhere(members, "stopped"))) {
      await()
          .atMost(LONG)
          .pollInSameThread()
          .until(
              () -> {
                stopped.turn(0, new Node.Silence());
                return a.isLinkedWith(1);
              });

      try (Node next = Node.open(elsewhere(members, "next"))) {
        await().atMost(LONG).until(() -> next.isLinkedWith(0));
        await().atMost(LONG).until(() -> a.events.contains("linked 1 next"));
      }
      assertThat(a.events).startsWith("linked 1 stopped", "unlinked 1", "linked 1 next");
      assertThat(a.traffic().silentLinks()).isEqualTo(1);
    }
  }

  @Test
  void whoFindsAnotherProcessAtItsOwnAddressIsTold() throws Exception {
    List<Member> members = List.of(Node.member("n0", LoopbackPort.free()));
    try (Node there = Node.open(Node.config(members, 0, "there", SECRET));
        Node elsewhere =
            Node.open(Node.listeningAt(Node.config(members, 0, "elsewhere", SECRET), 0))) {
      await().atMost(LONG).until(() -> elsewhere.events.contains("doubled by there"));

      assertThat(there.events).isEmpty();
      assertThat(there.traffic().refused(Refusal.DOUBLE)).isPositive();
    }
  }

  @Test
  void whoFindsItselfAtItsOwnAddressIsTheOnlyOne() throws Exception {
    List<Member> members = List.of(Node.member("n0", LoopbackPort.free()));
    try (Node alone = Node.open(Node.config(members, 0, "alone", SECRET))) {
      await().atMost(LONG).until(() -> alone.traffic().framesReceived() > 0);
      await().atMost(LONG).until(() -> alone.traffic().connections() == 0);

      assertThat(alone.events).isEmpty();
      assertThat(alone.traffic().refused(Refusal.DOUBLE)).isZero();
    }
  }

  private static List<Member> twoOfWhomOneCanNotBeReached() throws IOException {
    return List.of(Node.member("n0", LoopbackPort.free()), Node.member("n1", LoopbackPort.free()));
  }

  private static NetworkConfig elsewhere(List<Member> members, String identity) {
    return Node.listeningAt(Node.config(members, 1, identity, SECRET), 0);
  }
}
