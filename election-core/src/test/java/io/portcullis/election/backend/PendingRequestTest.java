package io.portcullis.election.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Unknown;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PendingRequestTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final LeaseRequest REQUEST = new LeaseRequest.Look();

  @Test
  void requestIsPendingUntilItsDeadline() {
    long before = System.nanoTime();
    PendingRequest pending = PendingRequest.within(LONG, REQUEST);
    long after = System.nanoTime();

    assertThat(pending.request()).isSameAs(REQUEST);
    assertThat(pending.deadlineNanos() - before).isGreaterThanOrEqualTo(LONG.toNanos());
    assertThat(pending.deadlineNanos() - after).isLessThanOrEqualTo(LONG.toNanos());
    assertThat(pending.remainingNanos()).isPositive().isLessThanOrEqualTo(LONG.toNanos());
    assertThat(pending.isOver()).isFalse();
    assertThat(pending.isAnswered()).isFalse();
    assertThat(pending.response()).isNotDone();
  }

  @Test
  void requestIsOverAtItsDeadlineWithoutAResponse() {
    PendingRequest pending = PendingRequest.within(Duration.ZERO, REQUEST);

    assertThat(pending.remainingNanos()).isLessThanOrEqualTo(0);
    assertThat(pending.isOver()).isTrue();
    assertThat(pending.isAnswered()).isFalse();
    assertThat(pending.response()).isNotDone();
  }

  @Test
  void answeredRequestIsOver() {
    PendingRequest pending = PendingRequest.within(LONG, REQUEST);

    pending.unknown("the store is busy");

    assertThat(pending.isOver()).isTrue();
    assertThat(pending.isAnswered()).isTrue();
    assertThat(pending.response()).isCompletedWithValue(new Unknown("the store is busy"));
  }

  @Test
  void firstResponseCounts() {
    LeaseResponse held = new LeaseResponse.HeldByOther(LeaseRecord.none("v1"));
    PendingRequest pending = PendingRequest.within(LONG, REQUEST);

    pending.answer(held);
    pending.unknown("too late");

    assertThat(pending.response()).isCompletedWithValue(held);
  }
}
