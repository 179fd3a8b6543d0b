package io.portcullis.election.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.machine.Grant;
import io.portcullis.election.machine.Reading;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.Request;
import io.portcullis.election.store.Stamp;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EngineTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final ElectionConfig CONFIG =
      new ElectionConfig("orders", "writer", "self", null, Timing.builder().lease(LEASE).build());

  private final AtomicLong seconds = new AtomicLong(1_000);
  private final LinkedBlockingQueue<CompletableFuture<Answer>> asked = new LinkedBlockingQueue<>();
  private final Clocks clocks =
      () -> new Reading(TimeUnit.SECONDS.toNanos(seconds.get()), seconds.get() * 1000);
  private final Engine engine =
      new Engine(CONFIG, new HeldStore(), new NoDoor(), clocks, Set.of(), event -> {});

  /** Answers when the test says so. */
  private final class HeldStore implements LeaseStore {
    @Override
    public CompletionStage<Answer> ask(Request request) {
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      asked.add(answer);
      return answer;
    }

    @Override
    public void onHint(Runnable wake) {
      throw new IllegalStateException("no subscription");
    }

    @Override
    public void close() {}
  }

  private static final class NoDoor implements Door {
    @Override
    public void open(Grant grant) {}

    @Override
    public void shut() {}

    @Override
    public long callsInFlight() {
      return 0;
    }
  }

  @Test
  void whatAnAnswerShowsOfOthersIsDatedAfterItsArrival() throws Exception {
    engine.start();
    CompletableFuture<Answer> answer = asked.poll(30, TimeUnit.SECONDS);
    assertThat(answer).isNotNull();
    LeaseRecord held =
        new LeaseRecord(new Stamp("life", "other", 7, "v1"), null, LEASE, LEASE, false);

    seconds.addAndGet(1);
    answer.complete(new Answer.HeldByOther(held));

    Status status = engine.await(it -> it.leader() != null, Duration.ofSeconds(30));
    assertThat(status.leaderUntilNanos())
        .isEqualTo(TimeUnit.SECONDS.toNanos(1_001 + LEASE.toSeconds()));
    engine.stop(Duration.ZERO);
  }
}
