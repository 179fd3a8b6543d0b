package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.gate.Refusal.Verdict;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PinnedEpochTest {
  private final GateFixture gated = pinning(GateFixture.throwing());

  private static GateFixture pinning(GateFixture gated) {
    gated.election().pinCalls();
    return gated;
  }

  @Test
  void threadOutsideAnyGatedCallHasNoEpoch() {
    gated.openFor(1, 5);

    assertThat(pinned()).isZero();
  }

  @Test
  void callHasTheEpochUnderWhichItEntered() {
    gated.openFor(1, 5);

    gated.enter();

    assertThat(pinned()).isEqualTo(5);
    gated.exit();
    assertThat(pinned()).isZero();
  }

  @Test
  void callKeepsItsEpochThroughLossAndReelection() {
    gated.openFor(1, 5);
    gated.enter();

    gated.election().shut();
    gated.openFor(1, 6);

    assertThat(pinned()).isEqualTo(5);
    assertThat(gated.election().openEpoch()).isEqualTo(6);
  }

  @Test
  void outermostCallDecidesForNestedCalls() {
    gated.openFor(1, 5);
    gated.enter();
    gated.openFor(1, 6);

    gated.enter();
    assertThat(pinned()).isEqualTo(5);
    gated.exit();
    assertThat(pinned()).isEqualTo(5);
    gated.exit();
    gated.enter();

    assertThat(pinned()).isEqualTo(6);
  }

  @Test
  void refusedCallPinsNothing() {
    assertThat(catchRefusal()).isInstanceOf(NotLeaderException.class);

    assertThat(pinned()).isZero();
  }

  @Test
  void otherThreadsHaveNoEpoch() throws Exception {
    gated.openFor(1, 5);
    gated.enter();

    long elsewhere = CompletableFuture.supplyAsync(this::pinned).get();

    assertThat(elsewhere).isZero();
  }

  @Test
  void epochEndsWhenAnAsynchronousMethodReturns() {
    gated.openFor(1, 5);
    gated.enter();

    Gate.exitWhenDone(gated.checkpoint().slot(), new CompletableFuture<>());

    assertThat(pinned()).isZero();
    assertThat(gated.checkpoint().callsInFlight()).isEqualTo(1);
  }

  @Test
  void callOfARecheckRuleIsPinnedToo() {
    gated.openFor(1, 5);
    AdmittedCall passage = Objects.requireNonNull(Gate.pass(gated.checkpoint().slot(), true));
    assertThat(pinned()).isEqualTo(5);

    passage.leave(null, false);

    assertThat(pinned()).isZero();
  }

  @Test
  void observedCallHasNoEpochOfItsOwn() {
    GateFixture observed = pinning(GateFixture.refusingWith((checkpoint, since) -> Verdict.RUN));

    observed.enter();
    assertThat(observed.election().pinnedEpoch()).isZero();
    observed.openFor(1, 7);
    observed.enter();
    assertThat(observed.election().pinnedEpoch()).isEqualTo(7);
    observed.exit();
    observed.exit();

    assertThat(observed.election().pinnedEpoch()).isZero();
  }

  @Test
  void observedCallKeepsTheEpochOfTheOuterCall() {
    GateFixture observed = pinning(GateFixture.refusingWith((checkpoint, since) -> Verdict.RUN));
    observed.openFor(1, 5);
    observed.enter();
    observed.election().shut();

    observed.enter();
    observed.exit();

    assertThat(observed.election().pinnedEpoch()).isEqualTo(5);
  }

  @Test
  void shutGateHasNoOpenEpoch() {
    gated.openFor(1, 5);
    gated.election().shut();

    assertThat(gated.election().openEpoch()).isZero();
    assertThat(gated.election().refusedBy("main", 5))
        .hasMessageContaining("under epoch 5")
        .hasMessageContaining("fence 'main'");
    assertThat(gated.election().refusedBy("main", 0))
        .hasMessageContaining("at startup")
        .hasMessageContaining("set ungated = pass in this fence (docs/fencing.md)");
  }

  private long pinned() {
    return gated.election().pinnedEpoch();
  }

  private Throwable catchRefusal() {
    try {
      gated.enter();
      return new AssertionError("let in");
    } catch (NotLeaderException refused) {
      return refused;
    }
  }
}
