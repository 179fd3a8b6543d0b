package io.portcullis.backend.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.quorum.machine.QuorumMessage;
import io.portcullis.backend.quorum.network.Network;
import io.portcullis.backend.quorum.network.Network.MessageReceiver;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.log.LogCapture;
import io.portcullis.election.store.EpochRange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Terms that can't be right: in a member's ballot, and in messages of a member gone wrong. */
class EpochRepairTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final long MAX = EpochRange.MAX_EPOCH;

  private static final List<Long> TERMS =
      List.of(
          Long.MIN_VALUE,
          -1L,
          MAX - 1,
          MAX,
          MAX + 1,
          (1L << 53) - 1,
          (1L << 53) + 1,
          Long.MAX_VALUE - 1,
          Long.MAX_VALUE);

  private static final int RANDOM_TERMS = 20;

  /** The terms above, and random ones of which none can be right. */
  private static List<Long> implausibleTerms() {
    long seed = Long.getLong("portcullis.epoch.seed", new Random().nextLong());
    Random random = new Random(seed);
    List<Long> terms = new ArrayList<>(TERMS);
    while (terms.size() < TERMS.size() + RANDOM_TERMS) {
      long term = random.nextBoolean() ? random.nextLong() : MAX - 1000 + random.nextInt(2001);
      if (term < 0 || term >= MAX - 1000) {
        terms.add(term);
      }
    }
    System.out.println("random terms of seed " + seed + ": " + terms);
    return terms;
  }

  @TempDir private Path folder;
  private final SplitBrainDetector watch = new SplitBrainDetector();
  private final List<LeaderElection> nodes = new ArrayList<>();
  private QuorumFixture council;

  @BeforeEach
  void choosePorts() {
    council = QuorumFixture.of(3, folder, LEASE);
  }

  @AfterEach
  void end() {
    watch.close();
  }

  private LeaderElection start(int self) {
    ElectionConfig config = council.election(self);
    LeaderElection node = watch.add(new LeaderElection(config, council.candidate(self, config)));
    nodes.add(node);
    node.start();
    return node;
  }

  private LeaderElection awaitLeaderAbove(long epoch) {
    await()
        .atMost(LONG)
        .until(() -> nodes.stream().anyMatch(node -> node.isLeader() && node.epoch() > epoch));
    return nodes.stream().filter(LeaderElection::isLeader).findFirst().orElseThrow();
  }

  private Path writeBallot(int member, String term) throws Exception {
    String id = council.members().get(member).id();
    String body =
        String.join(
            "\n",
            "portcullis-ballot 1",
            "cluster test/writer",
            "member " + id,
            "term " + term,
            "not-voted",
            "longest-promise-nanos 0",
            "");
    CRC32C sum = new CRC32C();
    sum.update(body.getBytes(StandardCharsets.UTF_8));
    Path ballot = folder.resolve("test+writer+" + id).resolve("ballot");
    Files.createDirectories(ballot.getParent());
    String sealed = body + String.format(Locale.ROOT, "crc32c %08x", sum.getValue()) + "\n";
    return Files.writeString(ballot, sealed, StandardCharsets.UTF_8);
  }

  @Test
  void repairedBallotIsTakenUpWithoutARestart() throws Exception {
    Path ballot = writeBallot(0, Long.toString(Long.MAX_VALUE));
    String written = Files.readString(ballot);
    LeaderElection spoilt = start(0);
    start(1);
    LeaderElection other = start(2);

    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(spoilt.status().explanation())
                    .contains(Long.toString(Long.MAX_VALUE))
                    .contains("rm " + ballot.toRealPath()));
    assertThat(Files.readString(ballot)).isEqualTo(written);
    Files.delete(ballot);

    await().atMost(LONG).until(() -> spoilt.status().store().degradedReason() == null);
    long epoch = awaitLeaderAbove(0).epoch();
    other.close();
    nodes.remove(other);
    LeaderElection next = awaitLeaderAbove(other.isLeader() ? epoch : epoch - 1);
    assertThat(next.epoch()).isLessThan(MAX);
    next.stepDown();
    assertThat(awaitLeaderAbove(next.epoch()).epoch()).isLessThan(MAX);
    watch.assertSafe();
  }

  @Test
  void implausibleTermsOfAMemberAreIgnored() throws Exception {
    writeBallot(0, "1700000000");
    writeBallot(1, "1700000000");
    start(0);
    start(1);
    int hostile = 2;
    ElectionConfig config = council.election(hostile);
    int port = council.members().get(hostile).port();
    try (LogCapture lines = LogCapture.holding("dropped a message of member m02");
        Network network = Network.open(council.links(hostile, config, port))) {
      LinkedMembers linked = new LinkedMembers();
      await()
          .atMost(LONG)
          .until(
              () -> {
                network.turn(Duration.ofMillis(20).toNanos(), linked);
                return linked.members.size() == 2;
              });

      for (long term : implausibleTerms()) {
        for (QuorumMessage message : MessageCodecTest.messagesIn(term)) {
          network.send(0, MessageCodec.encode(message));
          network.send(1, MessageCodec.encode(message));
          network.turn(Duration.ofMillis(1).toNanos(), linked);
        }
      }

      await()
          .atMost(LONG)
          .until(
              () -> {
                network.turn(Duration.ofMillis(20).toNanos(), linked);
                return lines.list().size() >= 2;
              });
      assertThat(lines.list()).allMatch(line -> line.contains("Stop that member"));
    }

    // Members that were misled by the member that is gone have to notice it by themselves.
    LeaderElection first = awaitLeaderAbove(0);
    long epoch = first.epoch();
    assertThat(epoch).isLessThan(System.currentTimeMillis() / 1000 + 3600);
    first.stepDown();
    LeaderElection second = awaitLeaderAbove(epoch);
    assertThat(second.epoch()).isLessThan(System.currentTimeMillis() / 1000 + 3600);
    watch.assertSafe();
  }

  /** Says nothing, and notes who is linked. */
  private static final class LinkedMembers implements MessageReceiver {
    final Set<Integer> members = new HashSet<>();

    @Override
    public void linked(int member, PeerProcess peer) {
      members.add(member);
    }

    @Override
    public void unlinked(int member) {
      members.remove(member);
    }

    @Override
    public void duplicateFound(String identity) {}

    @Override
    public void received(int member, byte[] payload) {}
  }
}
