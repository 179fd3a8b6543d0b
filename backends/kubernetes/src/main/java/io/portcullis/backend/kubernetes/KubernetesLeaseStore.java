package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.backend.kubernetes.ApiClient.ApiRequest;
import io.portcullis.backend.kubernetes.ApiClient.ApiResponse;
import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.backend.kubernetes.PermissionCheck.MissingPermissionMessage;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.PriorityRequest;
import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's way to one Lease. Requests are carried out one after the other on a thread of the
 * store's own; what the watch tells goes past them.
 */
final class KubernetesLeaseStore implements LeaseStore, LeaseCache.ChangeListener {
  private static final Logger LOG = LoggerFactory.getLogger(KubernetesLeaseStore.class);

  /** How long a look may take that nobody waits for; a renewal may wait behind it. */
  private static final Duration MAX_REFRESH_TIME = Duration.ofSeconds(1);

  private final KubernetesLease lease;
  private final ElectionConfig config;
  private final InstantSource wallClock;
  private final LeaseCache cache = new LeaseCache(this);
  private final ScheduledThreadPoolExecutor thread;
  private volatile Runnable hintListener = () -> {};
  private volatile Consumer<LeaseRecord> recordListener = record -> hintListener.run();
  private volatile Consumer<PriorityRequest> priorityRequestListener = wish -> {};
  private volatile @Nullable Components parts;
  private volatile boolean closed;

  /** The newest wish that was passed on; the store's own thread's. */
  private String lastPriorityRequest = "";

  /** Made on the store's own thread, when first needed. */
  private record Components(
      ApiClient client,
      LeaseOperations desk,
      LeaseWatch watch,
      PermissionCheck rights,
      @Nullable PodLabel label) {}

  private KubernetesLeaseStore(
      KubernetesLease lease, ElectionConfig config, InstantSource wallClock) {
    this.lease = lease;
    this.config = config;
    this.wallClock = wallClock;
    thread = DaemonThreads.scheduled(threadName(), new ThreadPoolExecutor.DiscardPolicy());
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Opened, with its first look under way. */
  static KubernetesLeaseStore open(
      KubernetesLease lease, ElectionConfig config, InstantSource wallClock) {
    KubernetesLeaseStore store = new KubernetesLeaseStore(lease, config, wallClock);
    store.thread.execute(store::start);
    return store;
  }

  private void start() {
    try {
      Components made = parts();
      refresh(made.desk());
      made.watch().ensureOpen();
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("{} can't be opened yet", lease.describe(), e); // The first question tells.
    }
  }

  private String threadName() {
    return "portcullis-" + config.name() + "-kubernetes";
  }

  private Components parts() {
    Components made = parts;
    if (made == null) {
      ApiClient client =
          new ApiClient(
              lease.access().server(),
              new KubernetesCredentials(
                  lease.access(), threadName() + "-http", config.timing().askTimeout()));
      LeaseName name = lease.name();
      String election = config.scope() + "/" + config.name();
      LeaseOperations desk =
          new LeaseOperations(
              new LeaseApi(client, name),
              cache,
              new LeaseEdits(name.namespace(), name.name(), election),
              election,
              config.identity(),
              config.timing().longestLease(),
              wallClock);
      LeaseWatch watch = new LeaseWatch(client, name, cache, thread, () -> refresh(desk));
      PermissionCheck rights = new PermissionCheck(client, name, lease.pod(), thread, config);
      String pod = lease.pod();
      PodLabel label = pod == null ? null : new PodLabel(client, name, pod, thread);
      made = new Components(client, desk, watch, rights, label);
      parts = made;
      rights.check();
      if (label != null) {
        label.show(false);
      }
    }
    return made;
  }

  private void refresh(LeaseOperations desk) {
    long most = config.timing().askTimeout().dividedBy(2).toNanos();
    desk.refresh(System.nanoTime() + Math.min(most, MAX_REFRESH_TIME.toNanos()));
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    if (closed) {
      return CompletableFuture.completedFuture(new LeaseResponse.Unknown("the store is closed"));
    }
    long deadline = System.nanoTime() + config.timing().askTimeout().toNanos();
    PendingLeaseRequest errand = PendingLeaseRequest.of(request, deadline);
    thread.execute(() -> run(errand));
    return errand.answer();
  }

  private void run(PendingLeaseRequest errand) {
    try {
      Components at = parts();
      errand.answer().complete(at.desk().execute(errand.request(), errand.deadlineNanos()));
      at.watch().ensureOpen();
      forwardPriorityRequest();
    } catch (RuntimeException | LinkageError e) {
      errand.unknown(lease.describe() + ": " + e);
    } finally {
      errand.unknown("the question ended by a bug"); // Unless it has an answer.
    }
  }

  /** A leader asks so often that nothing need happen sooner. */
  private void forwardPriorityRequest() {
    LeaseCache.CachedLease sight = cache.latest();
    LeaseDocument lease = sight == null ? null : sight.lease();
    if (lease != null && !lease.priorityRequest().equals(lastPriorityRequest)) {
      lastPriorityRequest = lease.priorityRequest();
      PriorityRequest wish = PriorityRequest.read(lastPriorityRequest);
      if (wish != null) {
        priorityRequestListener.accept(wish);
      }
    }
  }

  @Override
  public void sendPriorityRequest(PriorityRequest wish) {
    long deadline = System.nanoTime() + config.timing().askTimeout().toNanos();
    thread.execute(
        () -> {
          try {
            parts().desk().writePriorityRequest(wish, deadline);
          } catch (RuntimeException | LinkageError e) {
            LOG.debug("{} takes no wish", lease.describe(), e); // The next question tells.
          }
        });
  }

  @Override
  public void onPriorityRequest(Consumer<PriorityRequest> listener) {
    priorityRequestListener = listener;
  }

  @Override
  public void changed(LeaseDocument seen) {
    Components at = parts;
    if (at == null || at.desk().faultIn(seen) != null) {
      hintListener.run(); // The next question says what is wrong with it.
      return;
    }
    LeaseRecord record = at.desk().recordOf(seen);
    boolean clearedByHand = seen.holder().isEmpty() && record.isHeld();
    boolean editedByHand = record.isHeldBy(config.identity(), record.epoch());
    if (clearedByHand || editedByHand) {
      hintListener.run(); // To its holder the record looks as before: a renewal fails, or mends it.
    } else if (!seen.isReservedForAnotherThan(config.identity())) {
      recordListener.accept(
          record); // Else it is found by the next question, if still there to be had.
    }
  }

  @Override
  public void deleted() {
    recordListener.accept(LeaseRecord.none(""));
  }

  @Override
  public void unclear() {
    hintListener.run();
  }

  @Override
  public void onHint(Runnable listener) {
    hintListener = listener;
  }

  @Override
  public void onRecordPushed(Consumer<LeaseRecord> listener) {
    recordListener = listener;
  }

  @Override
  public void leadershipChanged(boolean now) {
    thread.execute(
        () -> {
          PodLabel label = parts().label();
          if (label != null) {
            label.show(now);
          }
        });
  }

  @Override
  public @Nullable String degradedReason() {
    Components at = parts;
    return at == null ? null : at.rights().missing();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      thread.execute(this::release);
    }
  }

  private void release() {
    Components made = parts;
    if (made != null) {
      made.watch().close();
      made.client().close();
    }
    thread.shutdown();
  }

  /** A request on its way, with the moment at which nobody waits for it any more. */
  record PendingLeaseRequest(
      LeaseRequest request, long deadlineNanos, CompletableFuture<LeaseResponse> answer) {

    static PendingLeaseRequest of(LeaseRequest request, long deadlineNanos) {
      return new PendingLeaseRequest(request, deadlineNanos, new CompletableFuture<>());
    }

    void unknown(String why) {
      answer.complete(new LeaseResponse.Unknown(why));
    }
  }

  /**
   * Shows this node's role as a label of its own pod, so that a Service can choose the leader.
   * Comes after the gate, never before it, and keeps trying until the label says what is true.
   * Belongs to the store's thread.
   */
  static final class PodLabel {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    static final String LABEL = "portcullis.io/role";

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

    private final ApiClient client;
    private final LeaseName lease;
    private final String pod;
    private final ScheduledExecutorService thread;
    private boolean wanted;
    private @Nullable Boolean shown;
    private boolean inFlight;
    private int failures;

    PodLabel(ApiClient client, LeaseName lease, String pod, ScheduledExecutorService thread) {
      this.client = client;
      this.lease = lease;
      this.pod = pod;
      this.thread = thread;
    }

    /** From now on the label is to say so. */
    void show(boolean leads) {
      wanted = leads;
      sendIfNeeded();
    }

    private void sendIfNeeded() {
      if (inFlight || (shown != null && shown == wanted)) {
        return;
      }
      inFlight = true;
      boolean leads = wanted;
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch.withObject("/metadata/labels").put(LABEL, leads ? "leader" : "standby");
      String path = "/api/v1/namespaces/" + lease.namespace() + "/pods/" + pod;
      ApiRequest call =
          new ApiRequest("PATCH", path, patch.toString(), "application/merge-patch+json");
      Future<?> unused =
          client
              .sendAsync(call, REQUEST_TIMEOUT)
              .whenComplete(
                  (response, failure) ->
                      thread.execute(() -> onResponse(leads, problem(response, failure))));
    }

    private @Nullable String problem(@Nullable ApiResponse response, @Nullable Throwable failure) {
      if (response == null) {
        return failure == null ? "no answer" : ApiClient.failureText(failure);
      }
      if (response.code() / 100 == 2) {
        return null;
      }
      return response.code() == 403
          ? "this node " + MissingPermissionMessage.message("patch", "pods", lease)
          : response.code() + ": " + LeaseApi.message(response.body());
    }

    private void onResponse(boolean leads, @Nullable String problem) {
      inFlight = false;
      if (problem == null) {
        shown = leads;
        failures = 0;
        sendIfNeeded();
        return;
      }
      shown = null;
      if (failures == 0) {
        LOG.warn(
            "portcullis pod={}/{} can't be labelled why=\"{}\"", lease.namespace(), pod, problem);
      }
      long pause = Math.min(MAX_BACKOFF.toMillis(), 500L << Math.min(failures, 10));
      failures++;
      Future<?> unused = thread.schedule(this::sendIfNeeded, pause, TimeUnit.MILLISECONDS);
    }
  }
}
