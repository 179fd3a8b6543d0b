package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.Answer.HeldByOther;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.Request;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What becomes of each question to a store that is fenced. */
class FencedStoreTest extends FencedBench {
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

  /** Else it would be the store that is said to give no answer. */
  @Test
  void whoWaitsForAFenceSaysSo() {
    assertThat(store.outage()).isNull();
    fence.withhold();
    CompletionStage<Answer> surveying = store.ask(new Request.Acquire(claim("a", null)));

    assertThat(store.outage()).isEqualTo("waits for the fence at a plain place");
    fence.answer();
    assertThat(surveying.toCompletableFuture()).isDone();
    assertThat(store.outage()).isNull();

    fence.withhold();
    CompletionStage<Answer> raising = acquire();
    assertThat(raising.toCompletableFuture()).isNotDone();
    assertThat(store.outage()).isEqualTo("waits for the fence at a plain place");
    now(store.ask(new Request.Release("a", recordShown().epoch(), "in-process")));
    assertThat(store.outage()).as("it was given up").isNull();
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
    fence.set(EpochRange.MAX_EPOCH / 4, "somebody");

    now(store.ask(new Request.Acquire(claim("a", null))));

    Claim raised = inner.asked(Request.Acquire.class).get(0).claim();
    assertThat(raised.highestEpoch()).isEqualTo(EpochRange.MAX_EPOCH / 4);
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
  void allFencesOfTheSettingsMustStand() {
    PlainFence second = new PlainFence();
    FencedStore both = new FencedStore(inner, List.of(fence, second), "a", EVERY, clock::get);
    now(both.ask(new Request.Acquire(claim("a", null))));
    second.breakDown("disk full");
    Claim claim = claim("a", recordShown().stamp());

    assertThat(now(both.ask(new Request.Acquire(claim)))).isInstanceOf(Unknown.class);
  }

  @Test
  void databaseAddedLaterRaisesNoEpoch() {
    PlainFence foreign = new PlainFence();
    foreign.set(EpochRange.MAX_EPOCH, "stranger");
    store.add(foreign);

    long epoch = lead();

    assertThat(inner.asked(Request.Acquire.class))
        .allSatisfy(asked -> assertThat(asked.claim().highestEpoch()).isZero());
    assertThat(fence.mark()).isEqualTo(new Mark(epoch, "a"));
    assertThat(foreign.mark().holder()).isEqualTo("stranger");
    assertThat(store.handicap()).isNull();
  }

  @Test
  void databaseRemovedIsClosedAndRaisedNoMore() {
    PlainFence former = new PlainFence();
    store.add(former);

    store.remove(former);
    lead();

    assertThat(former.isClosed()).isTrue();
    assertThat(former.asked()).isEmpty();
    store.close();
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
