package io.portcullis.backend.quorum;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.ElectionContract;
import io.portcullis.election.contract.StoreFixture;
import io.portcullis.election.store.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs complete elections on a quorum. The parts of the contract about records do not apply: a
 * quorum has no record to compare, only promises.
 */
@Tag("slow")
class QuorumContractTest extends ElectionContract {
  private static final int CANDIDATES = 5;

  /** One more than the candidates, so that the witnesses alone are a majority. */
  private static final int WITNESSES = 6;

  @TempDir private Path folder;
  private List<LeaseStore> witnesses = List.of();

  @Override
  protected Timing timing() {
    return QuorumFixture.of(0, folder, lease()).timing();
  }

  @Override
  protected int concurrentCandidates() {
    return CANDIDATES;
  }

  @Override
  protected StoreFixture newFixture() {
    QuorumFixture cluster = QuorumFixture.of(CANDIDATES + WITNESSES, folder, lease());
    witnesses =
        IntStream.range(CANDIDATES, CANDIDATES + WITNESSES).mapToObj(cluster::witness).toList();
    AtomicInteger next = new AtomicInteger();
    return new StoreFixture() {
      @Override
      public LeaseStore open(ElectionConfig config) {
        return cluster.candidate(next.getAndIncrement(), config);
      }

      @Override
      public void wipe() {
        throw new UnsupportedOperationException("a quorum has no record to delete");
      }
    };
  }

  @Override
  protected Duration lease() {
    return Duration.ofSeconds(2);
  }

  @AfterEach
  void closeWitnesses() {
    witnesses.forEach(LeaseStore::close);
  }
}
