package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Refusal.ThrowNotLeader;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.gate.RefusedCallers.RefusedCaller;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusedCallersTest {
  private static final Refusal SKIP = (checkpoint, sinceNanos) -> Verdict.SKIP;

  private final List<RefusedCaller> reported = new ArrayList<>();

  private GateFixture recording(Refusal refusal) {
    return GateFixture.refusingWith(RefusedCallers.recording(refusal, reported::add));
  }

  private static List<RefusedCaller> callers(GateFixture gated) {
    return gated.checkpoint().refusedCallers();
  }

  @Test
  void callerStartsWithTheGatedMethodAndHasNoFramesOfTheJdk() {
    GateFixture gated = recording(SKIP);

    List.of(1).forEach(once -> gated.enter());
    Callers.first(gated);

    assertThat(callers(gated)).hasSize(2);
    List<String> frames = callers(gated).get(1).frames();
    assertThat(frames.get(0)).matches("io\\.portcullis\\.gate\\.GateFixture#enter:\\d+");
    assertThat(frames.get(1)).matches(".*RefusedCallersTest\\$Callers#first:\\d+");
    assertThat(frames.get(2)).contains("RefusedCallersTest#callerStartsWith");
    assertThat(frames).hasSizeLessThanOrEqualTo(RefusedCallers.MAX_FRAMES);
    assertThat(callers(gated))
        .flatExtracting(RefusedCaller::frames)
        .noneMatch(frame -> frame.startsWith("java.") || frame.startsWith("jdk."));
  }

  @Test
  void sameCallerIsRecordedOnceAndReportedOnce() {
    GateFixture gated = recording(SKIP);

    for (int i = 0; i < 5; i++) {
      Callers.first(gated);
    }
    Callers.second(gated);

    assertThat(callers(gated)).extracting(RefusedCaller::samples).containsExactly(5L, 1L);
    assertThat(reported)
        .extracting(RefusedCaller::frames)
        .containsExactly(callers(gated).get(0).frames(), callers(gated).get(1).frames());
  }

  @Test
  void outermostOfFramesOfOneClassIsKept() {
    GateFixture gated = recording(SKIP);

    Callers.throughFirst(gated);

    assertThat(callers(gated).get(0).frames().get(1)).contains("Callers#throughFirst:");
    assertThat(callers(gated).get(0).frames()).noneMatch(frame -> frame.contains("#first:"));
  }

  @Test
  void deepStackIsCutOff() {
    GateFixture gated = recording(SKIP);

    Callers.deep(gated, 500);

    assertThat(callers(gated)).hasSize(1);
    assertThat(callers(gated).get(0).frames()).hasSizeLessThanOrEqualTo(RefusedCallers.MAX_FRAMES);
  }

  @Test
  void refusedByExceptionAndObservedCallsAreRecorded() {
    GateFixture throwing = recording(ThrowNotLeader.WITHOUT_STACK_TRACE);
    GateFixture observed = recording((checkpoint, sinceNanos) -> Verdict.RUN);

    assertThatThrownBy(throwing::enter).isInstanceOf(NotLeaderException.class);
    assertThat(observed.enter()).isFalse();

    assertThat(callers(throwing)).hasSize(1);
    assertThat(callers(observed)).hasSize(1);
  }

  @Test
  void callThatIsAdmittedAfterAWaitIsNotRecorded() {
    GateFixture gated =
        recording(
            (checkpoint, sinceNanos) -> {
              checkpoint.election().open(1, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
              return Verdict.ASK_AGAIN;
            });

    assertThat(gated.enter()).isFalse();

    assertThat(callers(gated)).isEmpty();
  }

  @Test
  void callersAndTheirReportsAreBounded() {
    RefusedCallers callers = new RefusedCallers(0);

    for (int i = 0; i < 1000; i++) {
      callers.add(List.of("com.acme.Store#save:" + i));
    }

    assertThat(callers.list()).hasSize(RefusedCallers.MAX_CALLERS);
    assertThat(callers.add(List.of("com.acme.Store#save:5000"))).isNull();
  }

  @Test
  void stacksAreReadAtFirstAndThenOnceASecond() {
    long nowNanos = Long.MAX_VALUE;
    RefusedCallers callers = new RefusedCallers(nowNanos);
    int first = 0;
    for (int i = 0; i < 1000; i++) {
      first += callers.isSampled(nowNanos) ? 1 : 0;
    }
    int later = 0;
    for (int millis = 0; millis < 10_000; millis++) {
      later += callers.isSampled(nowNanos + TimeUnit.MILLISECONDS.toNanos(millis)) ? 1 : 0;
    }

    assertThat(first).isEqualTo(RefusedCallers.MAX_CALLERS + 1);
    assertThat(later).isEqualTo(9);
  }

  @Test
  void failingListenerDoesNotChangeTheRefusal() {
    GateFixture gated =
        GateFixture.refusingWith(
            RefusedCallers.recording(
                ThrowNotLeader.WITHOUT_STACK_TRACE,
                caller -> {
                  throw new UnsupportedOperationException("broken");
                }));

    assertThatThrownBy(gated::enter).isInstanceOf(NotLeaderException.class);
  }

  /** Calls of the gate from several places. */
  private static final class Callers {
    private Callers() {}

    static void first(GateFixture gated) {
      gated.enter();
    }

    static void second(GateFixture gated) {
      gated.enter();
    }

    static void throughFirst(GateFixture gated) {
      first(gated);
    }

    static void deep(GateFixture gated, int depth) {
      if (depth == 0) {
        gated.enter();
      } else {
        deep(gated, depth - 1);
      }
    }
  }
}
