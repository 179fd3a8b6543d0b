package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.HeldByOther;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.Request;
import io.portcullis.election.store.Stamp;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of each question to a store that is fenced. */
class FencedStoreTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration EVERY = Duration.ofSeconds(2);

  private final InProcessLease lease = new InProcessLease();
  private final RecordingStore inner = new RecordingStore(lease.connect());
  private final PlainFence fence = new PlainFence();
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1000); // It may wrap.
  private final FencedStore store = new FencedStore(inner, List.of(fence), "a", EVERY, clock::get);

  private static Claim claim(String node, @Nullable Stamp waitedOut) {
    return new Claim(node, null, LEASE, LEASE, 0, waitedOut, null, true);
  }

  private static Answer now(CompletionStage<Answer> stage) {
    CompletableFuture<Answer> future = stage.toCompletableFuture();
    assertThat(future).isDone();
    return future.join();
  }

  private CompletionStage<Answer> acquire() {
    Answer shown = now(inner.ask(new Request.Look()));
    LeaseRecord record = ((HeldByOther) shown).record();
    return store.ask(new Request.Acquire(claim("a", record.stamp())));
  }

  /** Claims until it is granted or unknown: the first one only grounds an empty store. */
  private CompletionStage<Answer> acquireOnGround() {
    now(inner.ask(new Request.Acquire(claim("ground", null))));
    return acquire();
  }

  private long lead() {
    return ((Granted) now(acquireOnGround())).epoch();
  }

  private CompletionStage<Answer> renew(long epoch) {
    return store.ask(new Request.Renew("a", epoch, LEASE, null));
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private LeaseRecord recordShown() {
    return ((HeldByOther) now(inner.ask(new Request.Look()))).record();
  }

  @Test
  void aGrantIsAnsweredOnceTheFenceStands() {
    CompletionStage<Answer> first = acquireOnGround();
    fence.answer();
    long epoch = ((Granted) now(first)).epoch();

    assertThat(fence.installed()).containsExactly(new Mark(epoch, "a"));
  }

  @Test
  void noGrantIsAnsweredWhileTheFenceIsBeingRaised() {
    now(store.ask(new Request.Acquire(claim("a", null)))); // Reads the fence.
    fence.withhold();

    CompletionStage<Answer> asked = acquire();

    assertThat(asked.toCompletableFuture()).isNotDone();
    fence.answer();
    assertThat(now(asked)).isInstanceOf(Granted.class);
  }

  @Test
  void aGrantWhoseReplyWasLostIsFencedBeforeItsRenewalIsAnswered() {
    inner.reply(answer -> answer instanceof Granted ? new Unknown("lost") : answer);
    assertThat(now(acquireOnGround())).isInstanceOf(Unknown.class);
    assertThat(fence.installed()).isEmpty();
    inner.reply(answer -> answer);
    long epoch = recordShown().epoch();
    fence.withhold();

    CompletionStage<Answer> renewed = renew(epoch);

    assertThat(renewed.toCompletableFuture()).isNotDone();
    fence.answer();
    assertThat(now(renewed)).isEqualTo(new Granted(epoch, "in-process"));
    assertThat(fence.mark()).isEqualTo(new Mark(epoch, "a"));
  }

  @Test
  void aRenewalSharesTheInstallationThatIsUnderWay() {
    now(store.ask(new Request.Acquire(claim("a", null))));
    fence.withhold();
    CompletionStage<Answer> acquired = acquire();
    long epoch = recordShown().epoch();

    CompletionStage<Answer> renewed = renew(epoch);
    fence.answer();

    assertThat(now(acquired)).isInstanceOf(Granted.class);
    assertThat(now(renewed)).isInstanceOf(Granted.class);
    assertThat(fence.asked()).hasSize(1);
  }

  @Test
  void aNodeThatIsOutrunGivesTheEpochBackAndWinsAgainAbove() {
    now(store.ask(new Request.Acquire(claim("a", null)))); // The fence is read at NONE.
    long far = recordShown().epoch() + 1000;
    fence.set(far, "b");

    Answer outrun = now(acquire());

    assertThat(outrun).isInstanceOf(Unknown.class);
    assertThat(((Unknown) outrun).why()).contains("stands at epoch " + far + " by b");
    assertThat(recordShown().released()).isTrue();
    assertThat(((Granted) now(acquire())).epoch()).isGreaterThan(far);
    assertThat(fence.mark().holder()).isEqualTo("a");
  }

  @Test
  void theSameEpochByAnotherHolderIsOutrunToo() {
    now(store.ask(new Request.Acquire(claim("a", null))));
    fence.set(recordShown().epoch() + 1, "b");

    assertThat(now(acquire())).isInstanceOf(Unknown.class);
    assertThat(recordShown().released()).isTrue();
  }

  @Test
  void whatTheFenceHasSeenIsSeenByTheClaim() {
    fence.set(Long.MAX_VALUE / 4, "somebody");

    now(store.ask(new Request.Acquire(claim("a", null))));

    Claim raised = inner.asked(Request.Acquire.class).get(0).claim();
    assertThat(raised.highestEpoch()).isEqualTo(Long.MAX_VALUE / 4);
    assertThat(raised.trustsEmptyStore()).isFalse();
  }

  @Test
  void aNodeThatCannotReachTheFenceDoesNotCampaign() {
    fence.breakDown("no route");

    Answer answer = now(store.ask(new Request.Acquire(claim("a", null))));

    assertThat(answer).isInstanceOf(HeldByOther.class);
    assertThat(inner.asked()).containsExactly(new Request.Look());
    assertThat(store.handicap()).contains("no route", "a plain place");
    fence.breakDown(null);
    lead();
    assertThat(store.handicap()).isNull();
  }

  @Test
  void whileAFenceDoesNotAnswerTheStoreIsOnlyLookedAt() {
    fence.withhold();
    CompletionStage<Answer> first = store.ask(new Request.Acquire(claim("a", null)));

    Answer second = now(store.ask(new Request.Acquire(claim("a", null))));

    assertThat(first.toCompletableFuture()).isNotDone();
    assertThat(second).isInstanceOf(HeldByOther.class);
    assertThat(inner.asked()).containsExactly(new Request.Look());
    fence.answer();
    assertThat(now(first)).isInstanceOf(Unknown.class); // Given up meanwhile: never sent.
    assertThat(inner.asked()).containsExactly(new Request.Look());
  }

  @Test
  void aFenceThatNeverAnswersIsAskedAgainAfterAWhile() {
    fence.withhold();
    for (int i = 0; i < 20; i++) {
      store.ask(new Request.Acquire(claim("a", null)));
      pass(EVERY.dividedBy(2));
    }

    assertThat(fence.reads()).isEqualTo(3);
  }

  @Test
  void aFenceThatAnswersLateCostsTheClaim() {
    fence.withhold();
    CompletionStage<Answer> asked = store.ask(new Request.Acquire(claim("a", null)));
    pass(EVERY);
    fence.answer();

    assertThat(now(asked)).isInstanceOf(HeldByOther.class);
    assertThat(inner.asked()).containsExactly(new Request.Look());
  }

  @Test
  void theFenceIsReadAgainOnceItsLastAnswerIsOld() {
    now(store.ask(new Request.Acquire(claim("a", null))));
    now(store.ask(new Request.Acquire(claim("a", null))));
    assertThat(fence.reads()).isEqualTo(1);

    pass(EVERY);
    now(store.ask(new Request.Acquire(claim("a", null))));

    assertThat(fence.reads()).isEqualTo(2);
  }

  @Test
  void whatCannotBeFencedIsGivenBack() {
    now(store.ask(new Request.Acquire(claim("a", null))));
    fence.breakDown("disk full");

    Answer answer = now(acquire());

    assertThat(((Unknown) answer).why()).contains("could not be fenced", "disk full");
    assertThat(recordShown().released()).isTrue();
  }

  @Test
  void anEpochThatWasReleasedWhileItWasBeingFencedIsNeverGranted() {
    now(store.ask(new Request.Acquire(claim("a", null))));
    fence.withhold();
    CompletionStage<Answer> acquired = acquire();
    long epoch = recordShown().epoch();

    now(store.ask(new Request.Release("a", epoch, "in-process")));
    fence.answer();

    assertThat(now(acquired)).isInstanceOf(Unknown.class);
    assertThat(inner.asked(Request.Release.class)).hasSize(1);
    assertThat(now(renew(epoch))).isNotInstanceOf(Granted.class);
    assertThat(fence.asked()).hasSize(1);
  }

  @Test
  void nothingIsInstalledAfterTheReleaseWasSentEvenIfTheStoreForgetsIt() {
    long epoch = lead();
    store.ask(new Request.Release("a", epoch, "another life")); // Changes nothing there.
    fence.set(1, "old");
    store.verifySoon();

    Answer renewed = now(renew(epoch));

    assertThat(renewed).isInstanceOf(Unknown.class);
    assertThat(fence.asked()).hasSize(1);
  }

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

  @Test
  void allFencesMustStand() {
    PlainFence second = new PlainFence();
    store.add(second);
    now(store.ask(new Request.Acquire(claim("a", null))));
    second.breakDown("disk full");

    assertThat(now(acquire())).isInstanceOf(Unknown.class);
  }

  @Test
  void withoutAFenceEverythingIsAsTheStoreSays() {
    FencedStore bare = new FencedStore(inner, List.of(), "a", EVERY, clock::get);
    now(bare.ask(new Request.Acquire(claim("a", null))));

    Answer answer = now(bare.ask(new Request.Acquire(claim("a", recordShown().stamp()))));

    assertThat(answer).isInstanceOf(Granted.class);
  }

  @Test
  void closingClosesTheStoreAndAllFencesAlsoThoseThatComeLater() {
    PlainFence late = new PlainFence();
    PlainFence tooLate = new PlainFence();
    store.add(late);

    store.close();
    store.add(tooLate);

    assertThat(inner.isClosed()).isTrue();
    assertThat(List.of(fence, late, tooLate)).allMatch(PlainFence::isClosed);
  }

  @Test
  void everyMethodOfAStoreIsPassedOn() {
    List<String> missing =
        Arrays.stream(LeaseStore.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> !isOverridden(method))
            .map(Method::toString)
            .toList();

    assertThat(missing).isEmpty();
  }

  private static boolean isOverridden(Method method) {
    return Arrays.stream(FencedStore.class.getDeclaredMethods())
        .anyMatch(
            own ->
                own.getName().equals(method.getName())
                    && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
  }
}
