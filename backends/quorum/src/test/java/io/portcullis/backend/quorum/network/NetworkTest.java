package io.portcullis.backend.quorum.network;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.quorum.network.Network.PeerProcess;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.servers.LoopbackPort;
import io.portcullis.servers.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class NetworkTest {
  private static final String SECRET = "0123456789abcdef";

  private static List<MemberEndpoint> members(int size) throws IOException {
    List<MemberEndpoint> members = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      members.add(NetworkNodeFixture.member("n" + i, LoopbackPort.free()));
    }
    return members;
  }

  @Test
  void threeNodesConnectAndExchangeMessages() throws Exception {
    List<MemberEndpoint> members = members(3);
    try (NetworkNodeFixture a =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET));
        NetworkNodeFixture b =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 1, "b", SECRET));
        NetworkNodeFixture c =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 2, "c", SECRET))) {
      List<NetworkNodeFixture> nodes = List.of(a, b, c);

      await().atMost(MAX_WAIT).until(() -> nodes.stream().allMatch(node -> node.peers.size() == 2));
      for (int from = 0; from < 3; from++) {
        for (int to = 0; to < 3; to++) {
          if (from != to) {
            nodes.get(from).send(to, "hello " + to);
          }
        }
      }

      await()
          .atMost(MAX_WAIT)
          .until(() -> nodes.stream().allMatch(node -> node.messages.size() == 2));
      assertThat(a.messages).containsExactlyInAnyOrder("1:hello 0", "2:hello 0");
      assertThat(b.messages).containsExactlyInAnyOrder("0:hello 1", "2:hello 1");
      assertThat(a.peers.get(2)).isEqualTo(new PeerProcess("c", "http://c"));
      assertThat(a.events).hasSize(2);
    }
  }

  @Test
  void nodesWithoutASecretConnect() throws Exception {
    List<MemberEndpoint> members = members(2);
    try (NetworkNodeFixture a =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a"));
        NetworkNodeFixture b =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 1, "b"))) {
      await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
      a.send(1, "x");

      await().atMost(MAX_WAIT).until(() -> b.messages.contains("0:x"));
    }
  }

  @Test
  void messagesArriveInTheOrderSent() throws Exception {
    List<MemberEndpoint> members = members(2);
    try (NetworkNodeFixture a =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET));
        NetworkNodeFixture b =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 1, "b", SECRET))) {
      await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        a.send(1, "m" + i);
        sent.add("0:m" + i);
        if (i % 32 == 31) {
          await().atMost(MAX_WAIT).until(() -> b.messages.size() == sent.size());
        }
      }

      await().atMost(MAX_WAIT).until(() -> b.messages.size() == sent.size());
      assertThat(b.messages).containsExactlyElementsOf(sent);
    }
  }

  @Test
  void restartedPeerIsConnectedUnderItsNewIdentity() throws Exception {
    List<MemberEndpoint> members = members(2);
    try (NetworkNodeFixture a =
        NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET))) {
      try (NetworkNodeFixture b =
          NetworkNodeFixture.open(NetworkNodeFixture.config(members, 1, "b-first", SECRET))) {
        await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
      }
      await().atMost(MAX_WAIT).until(() -> !a.isLinkedWith(1));
      try (NetworkNodeFixture b =
          NetworkNodeFixture.open(NetworkNodeFixture.config(members, 1, "b-second", SECRET))) {
        await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
        b.send(0, "back");

        await().atMost(MAX_WAIT).until(() -> a.messages.contains("1:back"));
        assertThat(a.events).containsExactly("linked 1 b-first", "unlinked 1", "linked 1 b-second");
      }
    }
  }

  @Test
  void silentConnectionIsDetectedAndReestablished() throws Exception {
    int realA = LoopbackPort.free();
    int realB = LoopbackPort.free();
    try (TcpProxy toA = TcpProxy.to("127.0.0.1", realA);
        TcpProxy toB = TcpProxy.to("127.0.0.1", realB)) {
      List<MemberEndpoint> members =
          List.of(
              NetworkNodeFixture.member("a", toA.port()),
              NetworkNodeFixture.member("b", toB.port()));
      try (NetworkNodeFixture a =
              NetworkNodeFixture.open(
                  NetworkNodeFixture.listeningAt(
                      NetworkNodeFixture.config(members, 0, "a", SECRET), realA));
          NetworkNodeFixture b =
              NetworkNodeFixture.open(
                  NetworkNodeFixture.listeningAt(
                      NetworkNodeFixture.config(members, 1, "b", SECRET), realB))) {
        await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));

        toA.dropSilently();
        toB.dropSilently();
        await()
            .atMost(MAX_WAIT)
            .until(
                () -> {
                  a.send(1, "lost");
                  b.send(0, "lost");
                  return !a.isLinkedWith(1) && !b.isLinkedWith(0);
                });
        assertThat(a.traffic().silentLinks()).isPositive();
        toA.cut();
        toB.cut();
        toA.heal();
        toB.heal();

        await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
        await()
            .atMost(MAX_WAIT)
            .until(
                () -> {
                  a.send(1, "found");
                  return b.messages.contains("0:found");
                });
      }
    }
  }

  @Test
  void connectionWithOneWayTrafficStaysOpen() throws Exception {
    List<MemberEndpoint> members = members(2);
    try (NetworkNodeFixture a =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET));
        NetworkNodeFixture b =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 1, "b", SECRET))) {
      await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
      long endNanos = System.nanoTime() + 3 * NetworkNodeFixture.RESPONSE_TIMEOUT.toNanos();

      await()
          .atMost(MAX_WAIT)
          .until(
              () -> {
                a.send(1, "x");
                return System.nanoTime() - endNanos > 0;
              });

      assertThat(a.events).containsExactly("linked 1 b");
      assertThat(a.traffic().silentLinks()).isZero();
    }
  }

  @Test
  void messageToAnUnconnectedMemberIsDroppedAndCounted() throws Exception {
    List<MemberEndpoint> members = members(2);
    try (Network network = Network.open(NetworkNodeFixture.config(members, 0, "a", SECRET))) {
      network.send(1, new byte[NetworkLimits.MAX_PAYLOAD_BYTES]);

      assertThat(network.traffic().droppedSends()).isEqualTo(1);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> network.send(1, new byte[NetworkLimits.MAX_PAYLOAD_BYTES + 1]));
    }
  }

  @Test
  void fullSendQueueDropsMessagesAndKeepsTheConnection() throws Exception {
    List<MemberEndpoint> members = members(2);
    try (NetworkNodeFixture a =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET));
        NetworkNodeFixture b =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 1, "b", SECRET))) {
      await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
      a.run(
          () -> {
            for (int i = 0; i < 1000; i++) {
              a.sendNow(1, "burst");
            }
          });
      await().atMost(MAX_WAIT).until(() -> a.traffic().droppedSends() > 0);
      a.send(1, "after");

      await().atMost(MAX_WAIT).until(() -> b.messages.contains("0:after"));
      assertThat(b.messages).hasSizeBetween(64, 999);
      assertThat(a.events).hasSize(1);
    }
  }

  @Test
  void closeSendsQueuedMessages() throws Exception {
    List<MemberEndpoint> members = members(2);
    try (NetworkNodeFixture b =
        NetworkNodeFixture.open(NetworkNodeFixture.config(members, 1, "b", SECRET))) {
      NetworkNodeFixture a =
          NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET));
      await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
      for (int i = 0; i < 40; i++) {
        b.send(0, "noise");
      }
      a.runLast(() -> a.sendNow(1, "released"));
      a.close();

      await().atMost(MAX_WAIT).until(() -> b.messages.contains("0:released"));
      assertThat(a.traffic().connections()).isZero();
    }
  }

  @Test
  void portInUseIsReported() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<MemberEndpoint> members =
          List.of(
              NetworkNodeFixture.member("a", taken.getLocalPort()),
              NetworkNodeFixture.member("b", LoopbackPort.free()));

      assertThatThrownBy(() -> Network.open(NetworkNodeFixture.config(members, 0, "a")).close())
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("can't listen on ")
          .hasMessageContaining(":" + taken.getLocalPort() + ": Address already in use");
    }
  }

  @Test
  void namesTooLongForAFrameAreRejected() throws Exception {
    List<MemberEndpoint> members = members(2);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Network.open(NetworkNodeFixture.config(members, 0, "ü".repeat(56))).close())
        .withMessageContaining("identity has 112 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Network.open(NetworkNodeFixture.config(members, 0, "a", "")).close())
        .withMessageContaining("secret is empty");
  }

  @Test
  void failedConnectionAttemptsLeaveNoConnections() throws Exception {
    try (NetworkNodeFixture a =
        NetworkNodeFixture.open(NetworkNodeFixture.config(members(3), 0, "a", SECRET))) {
      long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);

      await()
          .atMost(MAX_WAIT)
          .untilAsserted(
              () -> {
                assertThat(a.traffic().connections()).isBetween(0L, 2L);
                assertThat(System.nanoTime() - endNanos).isPositive();
              });
      await().atMost(MAX_WAIT).until(() -> a.traffic().connections() == 0);
    }
  }

  @Test
  void wakeEndsATurnFromAnotherThread() throws Exception {
    List<MemberEndpoint> members = List.of(members(1).get(0));
    try (Network network = Network.open(NetworkNodeFixture.config(members, 0, "a"))) {
      Thread waker = new Thread(network::wake);
      waker.start();
      long before = System.nanoTime();

      network.turn(TimeUnit.MINUTES.toNanos(10), new NetworkNodeFixture.IgnoringReceiver());

      assertThat(System.nanoTime() - before).isLessThan(TimeUnit.MINUTES.toNanos(10));
      waker.join();
    }
  }

  @Test
  void slowNameServerDelaysNeitherMessagesNorOtherMembers() throws Exception {
    int[] ports = {LoopbackPort.free(), LoopbackPort.free()};
    List<MemberEndpoint> members =
        List.of(
            new MemberEndpoint("a", "a.test", ports[0]),
            new MemberEndpoint("b", "b.test", ports[1]),
            new MemberEndpoint("c", "slow.test", LoopbackPort.free()));
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch lookupStarted = new CountDownLatch(1);
    HostResolver.Lookup lookup =
        host -> {
          if (host.equals("slow.test")) {
            lookupStarted.countDown();
            awaitUninterruptibly(end);
            throw new UnknownHostException(host);
          }
          return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
    try (NetworkNodeFixture a =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 0, "a", SECRET), lookup);
        NetworkNodeFixture b =
            NetworkNodeFixture.open(NetworkNodeFixture.config(members, 1, "b", SECRET), lookup)) {
      assertThat(lookupStarted.await(120, TimeUnit.SECONDS)).isTrue();

      await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
      a.send(1, "x");
      await().atMost(MAX_WAIT).until(() -> b.messages.contains("0:x"));
    } finally {
      end.countDown();
    }
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().endsWith("-names")));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true; // Like the system's resolver, which ignores interrupts.
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
