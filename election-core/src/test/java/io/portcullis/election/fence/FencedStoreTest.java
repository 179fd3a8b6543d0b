package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.election.store.LeaseStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tests each request to a fenced store. */
class FencedStoreTest extends FencedStoreFixture {
  @Test
  void grantIsReturnedAfterTheFenceIsRaised() {
    CompletionStage<LeaseResponse> first = acquireOnGround();
    fence.answer();
    long epoch = ((Granted) now(first)).epoch();

    assertThat(fence.installed()).containsExactly(new FenceState(epoch, "a"));
  }

  @Test
  void grantIsWithheldWhileTheFenceIsRaised() {
    now(store.ask(new LeaseRequest.Acquire(claim("a", null)))); // Reads the fence.
    fence.withhold();

    CompletionStage<LeaseResponse> asked = acquire();

    assertThat(asked.toCompletableFuture()).isNotDone();
    fence.answer();
    assertThat(now(asked)).isInstanceOf(Granted.class);
  }

  /** Otherwise the status would report an unresponsive store. */
  @Test
  void waitingForAFenceIsReported() {
    assertThat(store.outage()).isNull();
    fence.withhold();
    CompletionStage<LeaseResponse> surveying =
        store.ask(new LeaseRequest.Acquire(claim("a", null)));

    assertThat(store.outage()).isEqualTo("waits for the fence at fence in memory");
    fence.answer();
    assertThat(surveying.toCompletableFuture()).isDone();
    assertThat(store.outage()).isNull();

    fence.withhold();
    CompletionStage<LeaseResponse> raising = acquire();
    assertThat(raising.toCompletableFuture()).isNotDone();
    assertThat(store.outage()).isEqualTo("waits for the fence at fence in memory");
    now(store.ask(new LeaseRequest.Release("a", recordShown().epoch(), "in-process")));
    assertThat(store.outage()).as("it was abandoned").isNull();
  }

  @Test
  void lostGrantIsFencedBeforeItsRenewalReturns() {
    inner.reply(answer -> answer instanceof Granted ? new Unknown("lost") : answer);
    assertThat(now(acquireOnGround())).isInstanceOf(Unknown.class);
    assertThat(fence.installed()).isEmpty();
    inner.reply(answer -> answer);
    long epoch = recordShown().epoch();
    fence.withhold();

    CompletionStage<LeaseResponse> renewed = renew(epoch);

    assertThat(renewed.toCompletableFuture()).isNotDone();
    fence.answer();
    assertThat(now(renewed)).isEqualTo(new Granted(epoch, "in-process"));
    assertThat(fence.state()).isEqualTo(new FenceState(epoch, "a"));
  }

  @Test
  void renewalSharesTheRunningInstallation() {
    now(store.ask(new LeaseRequest.Acquire(claim("a", null))));
    fence.withhold();
    CompletionStage<LeaseResponse> acquired = acquire();
    long epoch = recordShown().epoch();

    CompletionStage<LeaseResponse> renewed = renew(epoch);
    fence.answer();

    assertThat(now(acquired)).isInstanceOf(Granted.class);
    assertThat(now(renewed)).isInstanceOf(Granted.class);
    assertThat(fence.asked()).hasSize(1);
  }

  @Test
  void overtakenNodeReleasesAndWinsAHigherEpoch() {
    now(store.ask(new LeaseRequest.Acquire(claim("a", null)))); // The fence is read at NONE.
    long far = recordShown().epoch() + 1000;
    fence.set(far, "b");

    LeaseResponse superseded = now(acquire());

    assertThat(superseded).isInstanceOf(Unknown.class);
    assertThat(((Unknown) superseded).why()).contains("has epoch " + far + " with holder b");
    assertThat(recordShown().released()).isTrue();
    assertThat(((Granted) now(acquire())).epoch()).isGreaterThan(far);
    assertThat(fence.state().holder()).isEqualTo("a");
  }

  @Test
  void sameEpochOfAnotherHolderCountsAsOvertaken() {
    now(store.ask(new LeaseRequest.Acquire(claim("a", null))));
    fence.set(recordShown().epoch() + 1, "b");

    assertThat(now(acquire())).isInstanceOf(Unknown.class);
    assertThat(recordShown().released()).isTrue();
  }

  @Test
  void claimIncludesTheFenceEpoch() {
    fence.set(EpochRange.MAX_EPOCH / 4, "somebody");

    now(store.ask(new LeaseRequest.Acquire(claim("a", null))));

    Claim raised = inner.asked(LeaseRequest.Acquire.class).get(0).claim();
    assertThat(raised.highestEpoch()).isEqualTo(EpochRange.MAX_EPOCH / 4);
    assertThat(raised.trustsEmptyStore()).isFalse();
  }

  @Test
  void nodeThatCannotReachTheFenceDoesNotCampaign() {
    fence.breakDown("no route");

    LeaseResponse answer = now(store.ask(new LeaseRequest.Acquire(claim("a", null))));

    assertThat(answer).isInstanceOf(HeldByOther.class);
    assertThat(inner.asked()).containsExactly(new LeaseRequest.Look());
    assertThat(store.degradedReason()).contains("no route", "fence in memory");
    fence.breakDown(null);
    lead();
    assertThat(store.degradedReason()).isNull();
  }

  @Test
  void unresponsiveFenceTurnsClaimsIntoLookRequests() {
    fence.withhold();
    CompletionStage<LeaseResponse> first = store.ask(new LeaseRequest.Acquire(claim("a", null)));

    LeaseResponse second = now(store.ask(new LeaseRequest.Acquire(claim("a", null))));

    assertThat(first.toCompletableFuture()).isNotDone();
    assertThat(second).isInstanceOf(HeldByOther.class);
    assertThat(inner.asked()).containsExactly(new LeaseRequest.Look());
    fence.answer();
    assertThat(now(first)).isInstanceOf(Unknown.class); // Timed out meanwhile: never sent.
    assertThat(inner.asked()).containsExactly(new LeaseRequest.Look());
  }

  @Test
  void silentFenceIsReadAgainAfterATimeout() {
    fence.withhold();
    for (int i = 0; i < 20; i++) {
      store.ask(new LeaseRequest.Acquire(claim("a", null)));
      pass(EVERY.dividedBy(2));
    }

    assertThat(fence.reads()).isEqualTo(3);
  }

  @Test
  void lateFenceResponseAbandonsTheClaim() {
    fence.withhold();
    CompletionStage<LeaseResponse> asked = store.ask(new LeaseRequest.Acquire(claim("a", null)));
    pass(EVERY);
    fence.answer();

    assertThat(now(asked)).isInstanceOf(HeldByOther.class);
    assertThat(inner.asked()).containsExactly(new LeaseRequest.Look());
  }

  @Test
  void fenceIsReadAgainWhenItsStateIsOld() {
    now(store.ask(new LeaseRequest.Acquire(claim("a", null))));
    now(store.ask(new LeaseRequest.Acquire(claim("a", null))));
    assertThat(fence.reads()).isEqualTo(1);

    pass(EVERY);
    now(store.ask(new LeaseRequest.Acquire(claim("a", null))));

    assertThat(fence.reads()).isEqualTo(2);
  }

  @Test
  void grantThatCannotBeFencedIsReleased() {
    now(store.ask(new LeaseRequest.Acquire(claim("a", null))));
    fence.breakDown("disk full");

    LeaseResponse answer = now(acquire());

    assertThat(((Unknown) answer).why()).contains("could not be fenced", "disk full");
    assertThat(recordShown().released()).isTrue();
  }

  @Test
  void epochReleasedDuringFencingIsNeverGranted() {
    now(store.ask(new LeaseRequest.Acquire(claim("a", null))));
    fence.withhold();
    CompletionStage<LeaseResponse> acquired = acquire();
    long epoch = recordShown().epoch();

    now(store.ask(new LeaseRequest.Release("a", epoch, "in-process")));
    fence.answer();

    assertThat(now(acquired)).isInstanceOf(Unknown.class);
    assertThat(inner.asked(LeaseRequest.Release.class)).hasSize(1);
    assertThat(now(renew(epoch))).isNotInstanceOf(Granted.class);
    assertThat(fence.asked()).hasSize(1);
  }

  @Test
  void noEpochIsInstalledAfterItsRelease() {
    long epoch = lead();
    store.ask(
        new LeaseRequest.Release("a", epoch, "another incarnation")); // Changes nothing there.
    fence.set(1, "old");
    store.verifySoon();

    LeaseResponse renewed = now(renew(epoch));

    assertThat(renewed).isInstanceOf(Unknown.class);
    assertThat(fence.asked()).hasSize(1);
  }

  @Test
  void allConfiguredFencesMustBeRaised() {
    InMemoryFence second = new InMemoryFence();
    FencedStore both = new FencedStore(inner, List.of(fence, second), "a", EVERY, clock::get);
    now(both.ask(new LeaseRequest.Acquire(claim("a", null))));
    second.breakDown("disk full");
    Claim claim = claim("a", recordShown().recordVersion());

    assertThat(now(both.ask(new LeaseRequest.Acquire(claim)))).isInstanceOf(Unknown.class);
  }

  @Test
  void databaseAddedLaterRaisesNoEpoch() {
    InMemoryFence foreign = new InMemoryFence();
    foreign.set(EpochRange.MAX_EPOCH, "stranger");
    store.add(foreign);

    long epoch = lead();

    assertThat(inner.asked(LeaseRequest.Acquire.class))
        .allSatisfy(asked -> assertThat(asked.claim().highestEpoch()).isZero());
    assertThat(fence.state()).isEqualTo(new FenceState(epoch, "a"));
    assertThat(foreign.state().holder()).isEqualTo("stranger");
    assertThat(store.degradedReason()).isNull();
  }

  @Test
  void databaseRemovedIsClosedAndRaisedNoMore() {
    InMemoryFence former = new InMemoryFence();
    store.add(former);

    store.remove(former);
    lead();

    assertThat(former.isClosed()).isTrue();
    assertThat(former.asked()).isEmpty();
    store.close();
  }

  @Test
  void withoutFenceResponsesPassUnchanged() {
    FencedStore bare = new FencedStore(inner, List.of(), "a", EVERY, clock::get);
    now(bare.ask(new LeaseRequest.Acquire(claim("a", null))));

    LeaseResponse answer =
        now(bare.ask(new LeaseRequest.Acquire(claim("a", recordShown().recordVersion()))));

    assertThat(answer).isInstanceOf(Granted.class);
  }

  @Test
  void closeClosesTheStoreAndAllFences() {
    InMemoryFence late = new InMemoryFence();
    InMemoryFence tooLate = new InMemoryFence();
    store.add(late);

    store.close();
    store.add(tooLate);

    assertThat(inner.isClosed()).isTrue();
    assertThat(List.of(fence, late, tooLate)).allMatch(InMemoryFence::isClosed);
  }

  @Test
  void everyStoreMethodIsDelegated() {
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
