package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Refusal.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which refusals count for the HTTP request that a thread serves. */
class HttpRefusalTest {
  private final GateFixture gated = GateFixture.throwing();

  @AfterEach
  void noRequestIsLeftOpen() {
    assertThat(HttpRefusal.enter()).isZero();
    HttpRefusal.leave(0, null);
  }

  private static void refuse(GateFixture gated) {
    assertThatThrownBy(gated::enter).isInstanceOf(NotLeaderException.class);
  }

  @Test
  void caughtRefusalIsSeenByTheOutermostServlet() {
    gated.election().leaderSeen("b-1", "http://b:1", 7);
    int outer = HttpRefusal.enter();
    int inner = HttpRefusal.enter();
    refuse(gated);

    assertThat(HttpRefusal.leave(inner, null)).isNull();
    assertThat(HttpRefusal.leave(outer, null))
        .isNotNull()
        .satisfies(refused -> assertThat(refused.election()).isEqualTo(gated.election().name()))
        .satisfies(refused -> assertThat(refused.leader()).isEqualTo("b-1"))
        .satisfies(refused -> assertThat(refused.leaderAddress()).isEqualTo("http://b:1"));
  }

  @Test
  void thrownRefusalIsSeenByEveryServlet() {
    int outer = HttpRefusal.enter();
    int inner = HttpRefusal.enter();
    NotLeaderException refused = gated.checkpoint().notLeader(false);

    assertThat(HttpRefusal.leave(inner, new RuntimeException(refused))).isSameAs(refused);
    assertThat(HttpRefusal.leave(outer, refused)).isSameAs(refused);
  }

  @Test
  void anotherExceptionAfterARefusalCountsButNoError() {
    int outer = HttpRefusal.enter();
    refuse(gated);
    assertThat(HttpRefusal.leave(outer, new IllegalStateException())).isNotNull();

    outer = HttpRefusal.enter();
    refuse(gated);
    assertThat(HttpRefusal.leave(outer, new OutOfMemoryError())).isNull();
  }

  @Test
  void refusalsOfOtherRequestsAndThreadsDoNotCount() {
    refuse(gated);
    int outer = HttpRefusal.enter();
    CompletableFuture.runAsync(() -> refuse(gated)).join();
    assertThat(HttpRefusal.behind(500)).isNull();
    assertThat(HttpRefusal.leave(outer, null)).isNull();

    outer = HttpRefusal.enter();
    refuse(gated);
    HttpRefusal.leave(outer, null);
    assertThat(HttpRefusal.behind(500)).isNull();
    outer = HttpRefusal.enter();
    assertThat(HttpRefusal.leave(outer, new IllegalStateException())).isNull();
  }

  @Test
  void onlyServerErrorsAfterARefusalAreChanged() {
    int outer = HttpRefusal.enter();
    assertThat(HttpRefusal.behind(500)).isNull();
    refuse(gated);

    assertThat(HttpRefusal.behind(500)).isNotNull();
    assertThat(HttpRefusal.behind(599)).isNotNull();
    assertThat(HttpRefusal.behind(499)).isNull();
    assertThat(HttpRefusal.behind(200)).isNull();
    assertThat(HttpRefusal.behind(600)).isNull();
    HttpRefusal.leave(outer, null);
  }

  @Test
  void servletWithUnrecordedEndHidesNoRefusal() {
    int outer = HttpRefusal.enter();
    int withoutEnd = HttpRefusal.enter();
    assertThat(withoutEnd).isEqualTo(1);
    refuse(gated);

    assertThat(HttpRefusal.leave(outer, null)).isNotNull();
  }

  static Stream<Runnable> refusals() {
    GateFixture skipping = GateFixture.refusingWith((checkpoint, sinceNanos) -> Verdict.SKIP);
    GateFixture throwing = GateFixture.throwing();
    String election = throwing.election().name();
    return Stream.of(
        skipping::enter,
        skipping::check,
        () -> Gate.pass(skipping.checkpoint().slot(), false),
        () -> assertThat(Gate.enterOrFail(throwing.checkpoint().slot())).isNotNull(),
        throwing::check,
        () -> throwing.election().refusedBy("fence", 0),
        () -> Leadership.requireLeader(election),
        () -> Leadership.ensureEpoch(election, 1));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void everyWayToRefuseCounts(Runnable refusal) {
    int outer = HttpRefusal.enter();
    try {
      refusal.run();
    } catch (NotLeaderException caughtByTheApplication) {
      assertThat(caughtByTheApplication).isNotNull();
    }

    assertThat(HttpRefusal.leave(outer, null)).isNotNull();
  }

  @Test
  void callsThatRunDoNotCount() {
    int outer = HttpRefusal.enter();
    GateFixture observing = GateFixture.refusingWith((checkpoint, sinceNanos) -> Verdict.RUN);
    assertThat(observing.enter()).isFalse();
    assertThat(observing.check()).isFalse();
    gated.openFor(1);
    assertThat(gated.enter()).isFalse();
    GateFixture waiting =
        GateFixture.refusingWith(
            (checkpoint, sinceNanos) -> {
              checkpoint.election().open(1, System.nanoTime() + Long.MAX_VALUE / 2);
              return Verdict.ASK_AGAIN;
            });
    assertThat(waiting.enter()).isFalse();

    assertThat(HttpRefusal.leave(outer, null)).isNull();
  }
}
