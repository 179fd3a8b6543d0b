package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.fence.EpochFence.FenceFunctions;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Nodes send requests in any order, over connections on which everything may be late, lost or
 * reordered. Invariant: a grant of an epoch is returned only after every fence was raised to it by
 * this node, never after its release, and nothing is raised to an epoch once its release was sent.
 */
class FencedStoreFaultTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration EVERY = Duration.ofSeconds(2);

  @Test
  void everyGrantIsFenced() {
    int grants = 0;
    for (long seed = 1; seed <= 400; seed++) {
      grants += new FaultRun(seed).run();
    }
    assertThat(grants).isGreaterThan(400); // Otherwise the test proves nothing.
  }

  private static final class FaultRun {
    private final long seed;
    private final Random random;
    private final InProcessLease lease = new InProcessLease();
    private final List<Runnable> underWay = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<FaultyFence> fences = new ArrayList<>();
    private long clock = Long.MAX_VALUE - 5_000_000_000L;
    private final List<String> violations = new ArrayList<>();
    private int grants;

    FaultRun(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      int many = 1 + random.nextInt(2);
      for (int i = 0; i < many; i++) {
        fences.add(new FaultyFence());
      }
      for (String name : List.of("a", "b")) {
        nodes.add(new Node(name));
      }
    }

    int run() {
      for (int i = 0; i < 300; i++) {
        clock += random.nextInt(600_000_000);
        if (!underWay.isEmpty() && random.nextInt(3) > 0) {
          underWay.remove(random.nextInt(underWay.size())).run();
        } else {
          nodes.get(random.nextInt(nodes.size())).act();
        }
      }
      assertThat(violations).as("seed %s", seed).isEmpty();
      return grants;
    }

    private void check(boolean invariant, String violation) {
      if (!invariant) {
        violations.add(violation);
      }
    }

    /** Executed sooner, later, or never; completed sooner, later, never, or with a failure. */
    private <T> CompletionStage<T> later(Supplier<T> work) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      Runnable done =
          () -> {
            T result = work.get();
            send(() -> answer.complete(result), () -> answer.completeExceptionally(lost()));
          };
      send(done, () -> answer.completeExceptionally(lost()));
      return answer;
    }

    private static IllegalStateException lost() {
      return new IllegalStateException("lost");
    }

    private void send(Runnable arrives, Runnable fails) {
      int fate = random.nextInt(20);
      if (fate == 0) {
        return;
      }
      Runnable what = fate == 1 ? fails : arrives;
      if (fate < 10) {
        underWay.add(what);
      } else {
        what.run();
      }
    }

    private final class FaultyFence implements EpochFence {
      private final Set<FenceState> raised = new HashSet<>();
      private FenceState mark = FenceState.NONE;

      @Override
      public String describe() {
        return "faulty fence";
      }

      @Override
      public CompletionStage<FenceState> read() {
        if (random.nextInt(60) == 0) {
          mark = new FenceState(mark.epoch() + 1, "other");
        }
        if (random.nextInt(60) == 0) {
          mark = FenceState.NONE;
        }
        return later(() -> mark);
      }

      @Override
      public CompletionStage<FenceState> install(long epoch, String holder) {
        Node by = nodes.stream().filter(node -> node.name.equals(holder)).findFirst().orElseThrow();
        check(!by.released.contains(epoch), holder + " raised a released epoch");
        return later(
            () -> {
              if (epoch > mark.epoch()) {
                mark = new FenceState(epoch, holder);
                raised.add(mark);
              }
              return mark;
            });
      }

      @Override
      public @Nullable FenceFunctions functions() {
        return null;
      }

      @Override
      public void close() {}
    }

    private final class Node {
      final String name;
      final Set<Long> released = new HashSet<>();
      private final LeaseStore inner = lease.connect();
      private final FencedStore store;
      private @Nullable LeaseRecord seen;
      private long epoch;

      Node(String name) {
        this.name = name;
        LeaseStore slow =
            new LeaseStore() {
              @Override
              public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
                if (request instanceof LeaseRequest.Release release) {
                  released.add(release.epoch());
                }
                return later(() -> inner.ask(request).toCompletableFuture().join());
              }

              @Override
              public void close() {}
            };
        store = new FencedStore(slow, List.copyOf(fences), name, EVERY, () -> clock);
      }

      void act() {
        switch (random.nextInt(8)) {
          case 0 -> ask(new LeaseRequest.Look());
          case 1, 2, 3 -> ask(new LeaseRequest.Acquire(claim()));
          case 4 -> ask(new LeaseRequest.Release(name, epoch, "in-process"));
          case 5 -> store.verifySoon();
          default -> ask(new LeaseRequest.Renew(name, epoch, LEASE, null));
        }
      }

      private Claim claim() {
        RecordVersion waitedOut = seen == null ? null : seen.recordVersion();
        return new Claim(name, null, LEASE, LEASE, 0, waitedOut, null, true);
      }

      private void ask(LeaseRequest request) {
        store
            .ask(request)
            .whenComplete(
                (answer, failure) -> {
                  if (answer instanceof HeldByOther held) {
                    seen = held.record();
                    epoch = seen.holder().equals(name) ? seen.epoch() : epoch;
                  } else if (answer instanceof Granted won) {
                    onGranted(won.epoch());
                  }
                });
      }

      private void onGranted(long won) {
        grants++;
        epoch = won;
        check(!released.contains(won), name + " was granted a released epoch");
        for (FaultyFence fence : fences) {
          check(fence.raised.contains(new FenceState(won, name)), name + " was granted unfenced");
        }
      }
    }
  }
}
