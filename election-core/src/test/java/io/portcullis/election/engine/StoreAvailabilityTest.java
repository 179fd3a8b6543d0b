package io.portcullis.election.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.engine.TransitionLog.LogSuffix;
import io.portcullis.election.log.LogCapture;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreAvailabilityTest {
  private @Nullable String outage;
  private final LogCapture lines = LogCapture.holding("election=watched");
  private final StoreAvailability availability =
      new StoreAvailability(
          new ElectionConfig("test", "watched", "a-1-x", null, Timing.builder().build()),
          LogSuffix.NONE,
          () -> outage,
          0);
  private long sequence;

  @AfterEach
  void close() {
    lines.close();
  }

  private void fail(String why) {
    sequence++;
    availability.onAnswer(
        sequence, new LeaseResponse.Unknown(why), TimeUnit.SECONDS.toNanos(10 + sequence));
  }

  private void answer() {
    sequence++;
    availability.onAnswer(
        sequence,
        new LeaseResponse.HeldByOther(LeaseRecord.none("incarnation")),
        TimeUnit.SECONDS.toNanos(10 + sequence));
  }

  @Test
  void alternatingSymptomsAreLoggedOnceEach() {
    for (int i = 0; i < 100; i++) {
      fail("no response within 1000 ms");
      fail("connection refused");
    }

    assertThat(lines.list()).hasSize(2);
    assertThat(availability.problem()).isEqualTo("connection refused");
  }

  @Test
  void nextOutageIsLoggedAgain() {
    fail("connection refused");
    answer();
    fail("connection refused");

    assertThat(lines.list()).hasSize(3);
  }

  @Test
  void outageWithChangingReasonsIsLoggedALimitedNumberOfTimes() {
    for (int i = 0; i < 1000; i++) {
      fail("no connection after " + i + " ms");
    }

    assertThat(lines.list()).hasSizeLessThan(10);
    assertThat(availability.problem()).isEqualTo("no connection after 999 ms");
  }

  @Test
  void staleResponseIsNotLoggedAsRecovery() {
    fail("no majority of the 3 members: no link with b, c");
    outage = "no majority of the 3 members: no link with b, c";

    answer();

    assertThat(lines.list()).noneMatch(line -> line.contains("responds again")).hasSize(1);
    assertThat(availability.problem()).isEqualTo(outage);

    outage = null;
    answer();

    assertThat(lines.list()).last().asString().contains("the store responds again");
    assertThat(availability.problem()).isNull();
  }

  @Test
  void unansweredRequestIsLoggedWithTheStoreOutage() {
    answer();
    outage = "no majority of the 3 members: no response from b, c";
    availability.onAsk(sequence + 1, TimeUnit.SECONDS.toNanos(20));

    availability.onAsk(sequence + 2, TimeUnit.SECONDS.toNanos(21));

    assertThat(availability.problem()).isEqualTo(outage);
    assertThat(lines.list()).singleElement().asString().contains("why=\"" + outage + "\"");
  }

  @Test
  void lateFailureOfAnAbandonedRequestIsNotReported() {
    availability.onAsk(1, TimeUnit.SECONDS.toNanos(20));
    availability.onAsk(2, TimeUnit.SECONDS.toNanos(21));
    availability.onAnswer(
        2,
        new LeaseResponse.HeldByOther(LeaseRecord.none("incarnation")),
        TimeUnit.SECONDS.toNanos(22));

    availability.onAnswer(
        1, new LeaseResponse.Unknown("asked again meanwhile"), TimeUnit.SECONDS.toNanos(23));
    availability.onAsk(3, TimeUnit.SECONDS.toNanos(24));

    assertThat(availability.problem()).isNull();
  }
}
