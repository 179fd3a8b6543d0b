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
import io.portcullis.election.store.RecordVersion;
import io.portcullis.election.store.StoreFeatures.HintSource;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import io.portcullis.election.store.StoreFeatures.PriorityRequestChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A node whose requests to its store are sent by the test, one after the other. */
public final class Claimant implements AutoCloseable {
  private final String node;
  private final Timing timing;
  private final LeaseStore store;
  private final @Nullable PriorityRequestChannel channel;
  private final AtomicInteger hints = new AtomicInteger();
  private final List<PriorityRequest> priorityRequests = new CopyOnWriteArrayList<>();

  /** Creates a node with this name and timing for this fixture. */
  public Claimant(StoreFixture fixture, String node, Timing timing) {
    this(fixture, node, timing, 0);
  }

  /** Creates a node with this priority. */
  public Claimant(StoreFixture fixture, String node, Timing timing, int priority) {
    this.node = node;
    this.timing = timing;
    store =
        fixture.open(
            new ElectionConfig("contract", "writer", node, address(node), timing, priority));
    HintSource hintSource = store.feature(HintSource.class);
    if (hintSource != null) {
      hintSource.onHint(hints::incrementAndGet);
    }
    channel = store.feature(PriorityRequestChannel.class);
    if (channel != null) {
      channel.onPriorityRequest(priorityRequests::add);
    }
  }

  private static String address(String node) {
    return "http://" + node + ":8080";
  }

  /** Identity of the node. */
  public String node() {
    return node;
  }

  /** Number of hints received. */
  public int hints() {
    return hints.get();
  }

  /** The priority requests it received. */
  public List<PriorityRequest> priorityRequests() {
    return List.copyOf(priorityRequests);
  }

  /** Sends a priority request. */
  public void sendPriorityRequest(PriorityRequest request) {
    if (channel == null) {
      throw new IllegalStateException("the store carries no priority requests");
    }
    channel.sendPriorityRequest(request);
  }

  /** A claim by a node that has seen nothing. */
  public Claim claim() {
    return claim(null, 0, null);
  }

  /** A claim based on a write whose lease has passed. */
  public Claim claim(@Nullable RecordVersion waitedOut) {
    return claim(waitedOut, 0, null);
  }

  /** A claim with everything that a node may have seen. */
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

  /** Sends a request and waits for the response. */
  public LeaseResponse ask(LeaseRequest request) {
    return answerTo(store.ask(request));
  }

  /** Requests the lease. */
  public LeaseResponse acquire(Claim claim) {
    return ask(new LeaseRequest.Acquire(claim));
  }

  /**
   * Requests the lease until it is granted: a store may grant it later than possible, while the
   * former holder still has a connection to it.
   */
  public Granted acquireInTheEnd(Claim claim) {
    return (Granted)
        await()
            .pollInterval(Duration.ofMillis(50))
            .atMost(TestTimeouts.MAX_WAIT)
            .until(() -> acquire(claim), Granted.class::isInstance);
  }

  /** Sends a request without waiting. */
  public CompletionStage<LeaseResponse> send(LeaseRequest request) {
    return store.ask(request);
  }

  /** The response with which the stage completes in time. */
  public static LeaseResponse answerTo(CompletionStage<LeaseResponse> stage) {
    try {
      return stage.toCompletableFuture().get(TestTimeouts.MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("the store did not respond", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** The record that the store shows. */
  public LeaseRecord look() {
    return shown(ask(new LeaseRequest.Look()));
  }

  /** The record in a response that must show one. */
  public static LeaseRecord shown(LeaseResponse answer) {
    assertThat(answer).isInstanceOf(HeldByOther.class);
    return ((HeldByOther) answer).record();
  }

  /** Renews under this epoch. */
  public LeaseResponse renew(long epoch) {
    return renew(epoch, timing.lease());
  }

  /** Renews under this epoch with another lease length, such as one whose end a test waits for. */
  public LeaseResponse renew(long epoch, Duration lease) {
    return ask(new LeaseRequest.Renew(node, epoch, lease, address(node)));
  }

  /** Releases the grant. */
  public LeaseRecord release(Granted grant) {
    return release(grant.epoch(), grant.incarnation());
  }

  /** Releases under this epoch, with this known incarnation of the store. */
  public LeaseRecord release(long epoch, @Nullable String incarnation) {
    return shown(ask(new LeaseRequest.Release(node, epoch, incarnation)));
  }

  /** Acquires the lease of an empty, released or expired record. */
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

  /** The grant in a response that must be one. */
  public static Granted granted(LeaseResponse answer) {
    assertThat(answer).isInstanceOf(Granted.class);
    return (Granted) answer;
  }

  /** Waits for the rest of this record's lease on this node's clock. */
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
