package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.ground;
import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.heldByA;
import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.heldByGo;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.store.Claim;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which epoch a new tenure gets. */
class NextEpochTest {
  private static final Duration LEASE = Duration.ofSeconds(15);

  private static long next(LeaseJsonBuilder before, @Nullable Long seen, String now) {
    long highest = seen == null ? 0 : seen;
    Claim claim = new Claim("b", null, LEASE, LEASE, highest, null, null, true);
    LeaseDocument lease = before.document();
    return LeaseEdits.nextEpoch(lease, lease.record(LEASE), claim, Instant.parse(now));
  }

  @Test
  void nextEpochIsOneMoreThanAllKnownEpochs() {
    String soon = "2026-03-04T05:06:30Z";

    assertThat(next(heldByA(), null, soon)).isEqualTo(42);
    assertThat(next(heldByA(), 41L, soon)).isEqualTo(42);
    assertThat(
            next(
                heldByA().note(LeaseDocument.TENURE, "900").spec("leaseTransitions", 900),
                3L,
                soon))
        .isEqualTo(901);
  }

  @Test
  void nextEpochIsTheUnixSecondIfDataMayBeLost() {
    String soon = "2026-03-04T05:06:30Z";
    long above = Instant.parse(soon).getEpochSecond() + 1;

    assertThat(next(heldByA(), 50L, soon)).as("lower than seen before").isEqualTo(above);
    assertThat(next(heldByGo(), null, soon)).as("without an epoch").isEqualTo(above);
    assertThat(next(heldByA().spec("leaseTransitions", 4), null, soon))
        .as("another program led")
        .isEqualTo(above);
    assertThat(next(heldByA().renewed("garbage"), null, soon)).isEqualTo(above);
    assertThat(next(ground(), null, soon)).as("no leader yet").isEqualTo(above);
    assertThat(next(heldByA(), null, "2026-03-04T05:07:08Z"))
        .as("not written for a minute")
        .isEqualTo(Instant.parse("2026-03-04T05:07:08Z").getEpochSecond() + 1);
    assertThat(next(heldByA(), 5_000_000_000L, soon)).isEqualTo(5_000_000_001L);
  }
}
