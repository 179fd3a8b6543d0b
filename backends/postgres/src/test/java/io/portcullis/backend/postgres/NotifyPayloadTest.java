package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.postgres.NotificationListener.NotifyPayload;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NotifyPayloadTest {
  private static final Timing TIMING = Timing.builder().lease(Duration.ofSeconds(6)).build();
  private static final PriorityRequest REQUEST =
      new PriorityRequest("b", 5, 7, Duration.ofSeconds(60));

  private final PostgresStorePlan plan = PostgresFixture.on(SharedPostgres.SERVER).plan(TIMING);
  private final PostgresStorePlan elsewhere =
      PostgresFixture.on(SharedPostgres.SERVER).plan(TIMING);

  @Test
  void takeAndReleaseConcernAllButTheirNode() {
    String text = NotifyPayload.text(plan, new LeaseRequest.Release("a", 7, "life"));

    assertThat(text).isEqualTo(NotifyPayload.text(plan, "a", 7));
    assertThat(NotifyPayload.concerns(plan, "a", text)).isFalse();
    assertThat(NotifyPayload.concerns(plan, "b", text)).isTrue();
    assertThat(NotifyPayload.concerns(elsewhere, "b", text)).isFalse();
  }

  @Test
  void releaseForSuccessorConcernsItAlone() {
    String text = NotifyPayload.text(plan, new LeaseRequest.Release("a", 7, "life", "b"));

    assertThat(NotifyPayload.concerns(plan, "b", text)).isTrue();
    assertThat(NotifyPayload.concerns(plan, "c", text)).isFalse();
    assertThat(NotifyPayload.concerns(elsewhere, "b", text)).isFalse();
  }

  @Test
  void priorityRequestIsReadInItsElectionAndTriggersNoHint() {
    String text = NotifyPayload.text(plan, REQUEST);

    assertThat(NotifyPayload.priorityRequestIn(plan, text)).isEqualTo(REQUEST);
    assertThat(NotifyPayload.priorityRequestIn(elsewhere, text)).isNull();
    assertThat(NotifyPayload.priorityRequestIn(plan, NotifyPayload.text(plan, "a", 7))).isNull();
    assertThat(NotifyPayload.concerns(plan, "a", text)).isFalse();
  }
}
