package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.HeldByOther;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What fences do to a node that leads. */
class FencedTenureTest extends FencedBench {
  @Test
  void aRenewalIsAnsweredAtOnceWhileTheFenceIsVerifiedBesideIt() {
    long epoch = lead();
    pass(EVERY);
    fence.withhold();
    int before = fence.reads();

    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);

    assertThat(fence.reads()).isEqualTo(before + 1);
  }

  @Test
  void aFenceThatForgotIsRaisedAgain() {
    long epoch = lead();
    fence.set(7, "older");
    pass(EVERY);

    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);

    assertThat(fence.mark()).isEqualTo(new Mark(epoch, "a"));
  }

  @Test
  void aRefusedWriteHasTheFenceRaisedAtOnce() {
    long epoch = lead();
    fence.set(7, "older");

    store.verifySoon();

    assertThat(fence.mark()).isEqualTo(new Mark(epoch, "a"));
  }

  @Test
  void whoeverStandsAtTheFenceInsteadEndsTheTenureAtTheNextRenewal() {
    AtomicInteger hints = new AtomicInteger();
    store.onHint(hints::incrementAndGet);
    long epoch = lead();
    fence.set(epoch + 5, "b");
    pass(EVERY);
    now(renew(epoch));
    int asked = inner.asked().size();

    Answer ended = now(renew(epoch));

    assertThat(hints).hasValue(1);
    LeaseRecord shown = ((HeldByOther) ended).record();
    assertThat(shown.isHeldBy("b", epoch + 5)).isTrue();
    assertThat(shown.stamp().incarnation()).isEqualTo("in-process");
    assertThat(inner.asked()).hasSize(asked); // Neither renewed nor released: a gate is open.
  }

  @Test
  void anEpochUnderWhichAGateMayBeOpenIsNeverReleasedFromHere() {
    long epoch = lead();
    inner.reply(
        answer -> {
          fence.set(epoch + 5, "b");
          store.verifySoon(); // Finds it while the renewal is on its way back.
          return answer;
        });

    Answer renewed = now(renew(epoch));

    assertThat(renewed).isInstanceOf(Unknown.class);
    assertThat(inner.asked(Request.Release.class)).isEmpty();
  }

  @Test
  void aFenceOutOfReachDoesNotEndATenure() {
    long epoch = lead();
    fence.breakDown("no route");
    pass(EVERY);

    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    assertThat(store.handicap()).contains("no route");
  }

  @Test
  void aDatabaseFirstSeenWhileLeadingIsRaisedAtOnceAndBelongsToLaterGrants() {
    long epoch = lead();
    PlainFence late = new PlainFence();

    assertThat(store.add(late).toCompletableFuture()).isCompleted();

    assertThat(late.mark()).isEqualTo(new Mark(epoch, "a"));
    now(store.ask(new Request.Release("a", epoch, "in-process")));
    late.breakDown("gone");
    assertThat(now(acquire())).isInstanceOf(HeldByOther.class);
  }

  @Test
  void aDatabaseFirstSeenLaterThatIsGoneHoldsUpAnElectionOnce() {
    long epoch = lead();
    PlainFence late = new PlainFence();
    store.add(late);
    now(store.ask(new Request.Release("a", epoch, "in-process")));
    late.breakDown("gone");

    assertThat(now(acquire())).isInstanceOf(HeldByOther.class);
    Granted won = (Granted) now(acquire());
    late.breakDown(null);
    store.verifySoon();

    assertThat(late.mark()).isEqualTo(new Mark(won.epoch(), "a"));
    now(store.ask(new Request.Release("a", won.epoch(), "in-process")));
    late.breakDown("gone again");
    pass(EVERY);
    assertThat(now(acquire())).isInstanceOf(HeldByOther.class);
  }

  @Test
  void aDatabaseFirstSeenByAStandbyIsLeftAlone() {
    PlainFence late = new PlainFence();

    assertThat(store.add(late).toCompletableFuture()).isCompleted();

    assertThat(late.asked()).isEmpty();
    long epoch = lead();
    assertThat(late.mark()).isEqualTo(new Mark(epoch, "a"));
  }

  @Test
  void aDatabaseFirstSeenByAStandbyThatIsGoneHoldsUpItsElectionToo() {
    PlainFence late = new PlainFence();
    late.breakDown("gone");
    store.add(late);

    assertThat(now(acquireOnGround())).isInstanceOf(HeldByOther.class);

    assertThat(inner.asked(Request.Acquire.class)).hasSize(1); // The one that grounds the store.
  }

  @Test
  void aDatabaseFirstSeenAfterTheReleaseIsLeftAlone() {
    long epoch = lead();
    now(store.ask(new Request.Release("a", epoch, "in-process")));
    PlainFence late = new PlainFence();

    assertThat(store.add(late).toCompletableFuture()).isCompleted();

    assertThat(late.asked()).isEmpty();
  }

  @Test
  void aLateDatabaseThatCannotBeRaisedIsTriedAgainAndEndsNoTenure() {
    long epoch = lead();
    PlainFence late = new PlainFence();
    late.breakDown("no route");

    assertThat(store.add(late).toCompletableFuture()).isCompletedExceptionally();

    assertThat(now(renew(epoch))).isInstanceOf(Granted.class);
    late.breakDown(null);
    pass(EVERY);
    now(renew(epoch));
    assertThat(late.mark()).isEqualTo(new Mark(epoch, "a"));
  }

  @Test
  void aLateDatabaseThatStandsHigherEndsTheTenure() {
    long epoch = lead();
    PlainFence late = new PlainFence();
    late.set(epoch + 1, "b");

    assertThat(store.add(late).toCompletableFuture()).isCompletedExceptionally();

    assertThat(now(renew(epoch))).isInstanceOf(HeldByOther.class);
  }
}
