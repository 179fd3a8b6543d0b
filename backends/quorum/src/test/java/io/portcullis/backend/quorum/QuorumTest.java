package io.portcullis.backend.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.GateWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuorumTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  @TempDir private Path folder;

  @Test
  void threeNodesElectOneAndHandOver() {
    Council council = Council.of(3, folder, Duration.ofSeconds(2));
    try (GateWatch watch = new GateWatch()) {
      long began = System.nanoTime();
      List<LeaderElection> nodes =
          IntStream.range(0, 3)
              .mapToObj(council::election)
              .map(
                  config ->
                      watch.add(
                          new LeaderElection(
                              config,
                              council.candidate(
                                  Integer.parseInt(config.identity().substring(1)), config))))
              .toList();
      nodes.forEach(LeaderElection::start);

      await()
          .pollInterval(Duration.ofMillis(2))
          .atMost(LONG)
          .until(() -> leader(nodes).isPresent());
      System.out.println("elected after ms " + (System.nanoTime() - began) / 1_000_000);
      for (int i = 0; i < 10; i++) {
        LeaderElection first = leader(nodes).orElseThrow();
        await()
            .atMost(LONG)
            .until(
                () ->
                    nodes.stream()
                        .allMatch(n -> n.leader().equals(Optional.of(first.config().identity()))));
        long t = System.nanoTime();
        first.stepDown();
        await()
            .pollInterval(Duration.ofMillis(1))
            .atMost(LONG)
            .until(() -> leader(nodes).filter(n -> n != first).isPresent());
        System.out.println("handed over after ms " + (System.nanoTime() - t) / 1_000_000);
      }
      watch.assertSafe();
      assertThat(leader(nodes)).isPresent();
    }
  }

  private static Optional<LeaderElection> leader(List<LeaderElection> nodes) {
    return nodes.stream().filter(LeaderElection::isLeader).findFirst();
  }
}
