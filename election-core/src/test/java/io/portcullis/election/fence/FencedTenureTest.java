package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the effects of fences on a node that leads. */
class FencedTenureTest extends FencedStoreFixture {
  @Test
  void renewalReturnsWhileTheFenceIsVerified() {
    long epoch = lead();
    pass(EVERY);
    fence.withhold();
    int before = fence.reads();

    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);

    assertThat(fence.reads()).isEqualTo(before + 1);
  }

  @Test
  void resetFenceIsRaisedAgain() {
    long epoch = lead();
    fence.set(7, "older");
    pass(EVERY);

    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);

    assertThat(fence.state()).isEqualTo(new FenceState(epoch, "a"));
  }

  @Test
  void refusedWriteRaisesTheFenceAtOnce() {
    long epoch = lead();
    fence.set(7, "older");

    store.verifySoon();

    assertThat(fence.state()).isEqualTo(new FenceState(epoch, "a"));
  }

  @Test
  void otherHolderAtTheFenceEndsTheTenureAtNextRenewal() {
    AtomicInteger hints = new AtomicInteger();
    store.onHint(hints::incrementAndGet);
    long epoch = lead();
    fence.set(epoch + 5, "b");
    pass(EVERY);
    now(renew(epoch));
    int asked = inner.asked().size();

    LeaseResponse ended = now(renew(epoch));

    assertThat(hints).hasValue(1);
    LeaseRecord shown = ((HeldByOther) ended).record();
    assertThat(shown.isHeldBy("b", epoch + 5)).isTrue();
    assertThat(shown.recordVersion().incarnation()).isEqualTo("in-process");
    assertThat(inner.asked()).hasSize(asked); // Neither renewed nor released: a gate is open.
  }

  @Test
  void epochWithPossiblyOpenGateIsNeverReleased() {
    long epoch = lead();
    inner.reply(
        answer -> {
          fence.set(epoch + 5, "b");
          store.verifySoon(); // Detects it while the renewal's response is in flight.
          return answer;
        });

    LeaseResponse renewed = now(renew(epoch));

    assertThat(renewed).isInstanceOf(Unknown.class);
    assertThat(inner.asked(LeaseRequest.Release.class)).isEmpty();
  }

  @Test
  void unreachableFenceDoesNotEndATenure() {
    long epoch = lead();
    fence.breakDown("no route");
    pass(EVERY);

    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    assertThat(store.degradedReason()).contains("no route");
  }

  @Test
  void databaseAddedWhileLeadingIsRaisedAtOnceAndWithLaterGrants() {
    long epoch = lead();
    InMemoryFence late = new InMemoryFence();

    assertThat(store.add(late).toCompletableFuture()).isCompleted();

    assertThat(late.state()).isEqualTo(new FenceState(epoch, "a"));
    now(store.ask(new LeaseRequest.Release("a", epoch, "in-process")));
    Granted won = (Granted) now(acquire());
    assertThat(late.state()).isEqualTo(new FenceState(won.epoch(), "a"));
  }

  /** Work under older epochs has to end there before the gate opens. */
  @Test
  void grantWaitsForDatabaseAddedLater() {
    InMemoryFence late = new InMemoryFence();
    store.add(late);
    now(store.ask(new LeaseRequest.Acquire(claim("a", null))));
    late.withhold();

    CompletionStage<LeaseResponse> asked = acquire();

    assertThat(asked.toCompletableFuture()).isNotDone();
    assertThat(store.outage()).contains("waits for the fence");
    late.answer();
    assertThat(now(asked)).isInstanceOf(Granted.class);
  }

  @Test
  void grantDoesNotWaitTwiceForDatabaseThatNeverAnswers() {
    InMemoryFence late = new InMemoryFence();
    store.add(late);
    now(store.ask(new LeaseRequest.Acquire(claim("a", null))));
    late.withhold();
    CompletionStage<LeaseResponse> first = acquire();
    now(store.ask(new LeaseRequest.Release("a", recordShown().epoch(), "in-process")));

    assertThat(first.toCompletableFuture()).isNotDone();
    assertThat(now(acquire())).isInstanceOf(Granted.class);
  }

  @Test
  void missingDatabaseAddedLaterDelaysNoElection() {
    InMemoryFence late = new InMemoryFence();
    late.breakDown("gone");
    store.add(late);

    long epoch = lead();

    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    assertThat(store.degradedReason()).isNull();
    late.breakDown(null);
    store.verifySoon();
    assertThat(late.state()).isEqualTo(new FenceState(epoch, "a"));
  }

  @Test
  void databaseAddedByAStandbyIsNotRaised() {
    InMemoryFence late = new InMemoryFence();

    assertThat(store.add(late).toCompletableFuture()).isCompleted();

    assertThat(late.asked()).isEmpty();
    long epoch = lead();
    assertThat(late.state()).isEqualTo(new FenceState(epoch, "a"));
  }

  @Test
  void databaseAddedAfterTheReleaseIsNotRaised() {
    long epoch = lead();
    now(store.ask(new LeaseRequest.Release("a", epoch, "in-process")));
    InMemoryFence late = new InMemoryFence();

    assertThat(store.add(late).toCompletableFuture()).isCompleted();

    assertThat(late.asked()).isEmpty();
  }

  @Test
  void unraisableAddedDatabaseIsRetriedAndEndsNoTenure() {
    long epoch = lead();
    InMemoryFence late = new InMemoryFence();
    late.breakDown("no route");

    assertThat(store.add(late).toCompletableFuture()).isCompletedExceptionally();

    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    late.breakDown(null);
    pass(EVERY);
    now(renew(epoch));
    assertThat(late.state()).isEqualTo(new FenceState(epoch, "a"));
  }

  @Test
  void addedDatabaseWithHigherEpochEndsNoTenure() {
    long epoch = lead();
    InMemoryFence late = new InMemoryFence();
    late.set(EpochRange.MAX_EPOCH, "b");

    assertThat(store.add(late).toCompletableFuture()).isCompletedExceptionally();

    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    store.verifySoon();
    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    now(store.ask(new LeaseRequest.Release("a", epoch, "in-process")));
    assertThat(((Granted) now(acquire())).epoch()).isEqualTo(epoch + 1);
  }
}
