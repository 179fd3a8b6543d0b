package io.portcullis.election.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.PriorityRequest;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A node that asks its store by hand, one request after the other. */
public final class Claimant implements AutoCloseable {
  private final String node;
  private final Timing timing;
  private final LeaseStore store;
  private final AtomicInteger hints = new AtomicInteger();
  private final List<PriorityRequest> wishes = new CopyOnWriteArrayList<>();

  /** A node of this name and timing at this place. */
  public Claimant(StoreFixture place, String node, Timing timing) {
    this(place, node, timing, 0);
  }

  /** The same, preferred by so much. */
  public Claimant(StoreFixture place, String node, Timing timing, int priority) {
    this.node = node;
    this.timing = timing;
    store =
        place.open(new ElectionConfig("contract", "writer", node, address(node), timing, priority));
    store.onHint(hints::incrementAndGet);
    store.onPriorityRequest(wishes::add);
  }

  private static String address(String node) {
    return "http://" + node + ":8080";
  }

  /** The node's identity. */
  public String node() {
    return node;
  }

  /** How many hints it got. */
  public int hints() {
    return hints.get();
  }

  /** The wishes it heard. */
  public List<PriorityRequest> wishes() {
    return List.copyOf(wishes);
  }

  /** Says what it would rather have. */
  public void sendPriorityRequest(PriorityRequest wish) {
    store.sendPriorityRequest(wish);
  }

  /** A claim by a node that has seen nothing. */
  public Claim claim() {
    return claim(null, 0, null);
  }

  /** A claim that rests on a write whose lease has passed. */
  public Claim claim(@Nullable RecordVersion waitedOut) {
    return claim(waitedOut, 0, null);
  }

  /** A claim with all that a node may have seen. */
  public Claim claim(
      @Nullable RecordVersion waitedOut, long highest, @Nullable String incarnation) {
    return new Claim(
        node,
        address(node),
        timing.lease(),
        timing.longestLease(),
        highest,
        waitedOut,
        incarnation,
        highest == 0);
  }

  /** Asks and waits for the answer. */
  public LeaseResponse ask(LeaseRequest request) {
    return answerTo(store.ask(request));
  }

  /** Asks for the lease. */
  public LeaseResponse acquire(Claim claim) {
    return ask(new LeaseRequest.Acquire(claim));
  }

  /**
   * Asks for the lease until it is granted: a store may be slower to give it than it has to be,
   * while the former holder still has a way to it.
   */
  public Granted acquireInTheEnd(Claim claim) {
    return (Granted)
        await()
            .pollInterval(Duration.ofMillis(50))
            .atMost(TestTimeouts.MAX_WAIT)
            .until(() -> acquire(claim), Granted.class::isInstance);
  }

  /** Asks without waiting. */
  public CompletionStage<LeaseResponse> send(LeaseRequest request) {
    return store.ask(request);
  }

  /** The answer that the stage brings in time. */
  public static LeaseResponse answerTo(CompletionStage<LeaseResponse> stage) {
    try {
      return stage.toCompletableFuture().get(TestTimeouts.MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("the store gave no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** What the store shows. */
  public LeaseRecord look() {
    return shown(ask(new LeaseRequest.Look()));
  }

  /** The record in an answer that must show one. */
  public static LeaseRecord shown(LeaseResponse answer) {
    assertThat(answer).isInstanceOf(HeldByOther.class);
    return ((HeldByOther) answer).record();
  }

  /** Renews under this epoch. */
  public LeaseResponse renew(long epoch) {
    return renew(epoch, timing.lease());
  }

  /** Renews under this epoch for another length, such as one whose end a test waits for. */
  public LeaseResponse renew(long epoch, Duration lease) {
    return ask(new LeaseRequest.Renew(node, epoch, lease, address(node)));
  }

  /** Releases what was granted. */
  public LeaseRecord release(Granted grant) {
    return release(grant.epoch(), grant.incarnation());
  }

  /** Releases under this epoch, knowing this life of the store. */
  public LeaseRecord release(long epoch, @Nullable String incarnation) {
    return shown(ask(new LeaseRequest.Release(node, epoch, incarnation)));
  }

  /** Gets the lease of an empty, released or run out record. */
  public Granted lead() {
    LeaseResponse first = acquire(claim());
    if (first instanceof Granted won) {
      return won;
    }
    LeaseRecord seen = shown(first);
    waitOut(seen);
    return granted(
        acquire(claim(seen.recordVersion(), seen.epoch(), seen.recordVersion().incarnation())));
  }

  /** The grant in an answer that must be one. */
  public static Granted granted(LeaseResponse answer) {
    assertThat(answer).isInstanceOf(Granted.class);
    return (Granted) answer;
  }

  /** Lets the rest of this record's lease pass on this node's clock. */
  public static void waitOut(LeaseRecord seen) {
    long ends = System.nanoTime() + seen.remaining().toNanos();
    await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(seen.remaining().plus(TestTimeouts.MAX_WAIT))
        .until(() -> ends - System.nanoTime() < 0);
  }

  @Override
  public void close() {
    store.close();
  }
}
