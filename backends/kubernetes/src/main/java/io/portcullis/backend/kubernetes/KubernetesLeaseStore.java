package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.backend.kubernetes.ApiClient.ApiRequest;
import io.portcullis.backend.kubernetes.ApiClient.ApiResponse;
import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.backend.kubernetes.PermissionCheck.MissingPermissionMessage;
import io.portcullis.election.backend.PendingRequest;
import io.portcullis.election.backend.RetryBackoff;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.HintSource;
import io.portcullis.election.store.StoreFeatures.LeadershipObserver;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import io.portcullis.election.store.StoreFeatures.PriorityRequestChannel;
import io.portcullis.election.store.StoreFeatures.RecordPushSource;
import io.portcullis.election.store.StoreFeatures.StoreDiagnostics;
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
 * Lease store of one node on one Kubernetes Lease. Requests run one at a time on the store's own
 * thread; events of the watch are delivered independently of them.
 */
final class KubernetesLeaseStore
    implements LeaseStore,
        HintSource,
        RecordPushSource,
        PriorityRequestChannel,
        LeadershipObserver,
        StoreDiagnostics,
        LeaseCache.ChangeListener {
  private static final Logger LOG = LoggerFactory.getLogger(KubernetesLeaseStore.class);

  /** Maximum time of a background read; a renewal may be queued behind it. */
  private static final Duration MAX_REFRESH_TIME = Duration.ofSeconds(1);

  private final KubernetesLease lease;
  private final ElectionConfig config;
  private final InstantSource wallClock;
  private final LeaseCache cache = new LeaseCache(this);
  private final ScheduledThreadPoolExecutor thread;
  private volatile Runnable hintListener = () -> {};
  private volatile Consumer<LeaseRecord> recordListener = record -> hintListener.run();
  private volatile Consumer<PriorityRequest> priorityRequestListener = request -> {};
  private volatile @Nullable Components components;
  private volatile boolean closed;

  /** The latest priority request passed to the listener. Used on the store's thread only. */
  private String lastPriorityRequest = "";

  /** Components of the store, created lazily on its thread. */
  private record Components(
      ApiClient client,
      LeaseOperations operations,
      LeaseWatch watch,
      PermissionCheck permissions,
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

  /** Opens a store and starts its first read. */
  static KubernetesLeaseStore open(
      KubernetesLease lease, ElectionConfig config, InstantSource wallClock) {
    KubernetesLeaseStore store = new KubernetesLeaseStore(lease, config, wallClock);
    store.thread.execute(store::start);
    return store;
  }

  private void start() {
    try {
      Components created = components();
      refresh(created.operations());
      created.watch().ensureOpen();
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("{} can't be opened yet", lease.describe(), e); // The first request reports it.
    }
  }

  private String threadName() {
    return "portcullis-" + config.name() + "-kubernetes";
  }

  private Components components() {
    Components created = components;
    if (created == null) {
      ApiClient client =
          new ApiClient(
              lease.access().server(),
              new KubernetesCredentials(
                  lease.access(), threadName() + "-http", config.timing().askTimeout()));
      LeaseName name = lease.name();
      String election = config.scope() + "/" + config.name();
      LeaseOperations operations =
          new LeaseOperations(
              new LeaseApi(client, name),
              cache,
              new LeaseEdits(name.namespace(), name.name(), election),
              election,
              config.identity(),
              config.timing().longestLease(),
              wallClock);
      LeaseWatch watch = new LeaseWatch(client, name, cache, thread, () -> refresh(operations));
      PermissionCheck permissions = new PermissionCheck(client, name, lease.pod(), thread, config);
      String pod = lease.pod();
      PodLabel label = pod == null ? null : new PodLabel(client, name, pod, thread);
      created = new Components(client, operations, watch, permissions, label);
      components = created;
      permissions.check();
      if (label != null) {
        label.show(false);
      }
    }
    return created;
  }

  private void refresh(LeaseOperations operations) {
    long maxNanos = config.timing().askTimeout().dividedBy(2).toNanos();
    operations.refresh(System.nanoTime() + Math.min(maxNanos, MAX_REFRESH_TIME.toNanos()));
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    if (closed) {
      return CompletableFuture.completedFuture(new LeaseResponse.Unknown("the store is closed"));
    }
    PendingRequest pending = PendingRequest.within(config.timing().askTimeout(), request);
    thread.execute(() -> run(pending));
    return pending.response();
  }

  private void run(PendingRequest pending) {
    try {
      Components created = components();
      pending.answer(created.operations().execute(pending.request(), pending.deadlineNanos()));
      created.watch().ensureOpen();
      forwardPriorityRequest();
    } catch (RuntimeException | LinkageError e) {
      pending.unknown(lease.describe() + ": " + e);
    } finally {
      pending.unknown("internal error in the request"); // No effect if it has a response.
    }
  }

  /**
   * Passes on a new priority request. Called after each request of the election; a leader renews so
   * often that no other trigger is needed.
   */
  private void forwardPriorityRequest() {
    LeaseCache.CachedLease cached = cache.latest();
    LeaseDocument lease = cached == null ? null : cached.lease();
    if (lease != null && !lease.priorityRequest().equals(lastPriorityRequest)) {
      lastPriorityRequest = lease.priorityRequest();
      PriorityRequest request = PriorityRequest.read(lastPriorityRequest);
      if (request != null) {
        priorityRequestListener.accept(request);
      }
    }
  }

  @Override
  public void sendPriorityRequest(PriorityRequest request) {
    long deadline = System.nanoTime() + config.timing().askTimeout().toNanos();
    thread.execute(
        () -> {
          try {
            components().operations().writePriorityRequest(request, deadline);
          } catch (RuntimeException | LinkageError e) {
            // The next lease request reports the problem.
            LOG.debug("{} did not accept a priority request", lease.describe(), e);
          }
        });
  }

  @Override
  public void onPriorityRequest(Consumer<PriorityRequest> listener) {
    priorityRequestListener = listener;
  }

  @Override
  public void changed(LeaseDocument seen) {
    Components created = components;
    if (created == null || created.operations().faultIn(seen) != null) {
      hintListener.run(); // The next request reports the fault.
      return;
    }
    LeaseRecord record = created.operations().recordOf(seen);
    boolean clearedByHand = seen.holder().isEmpty() && record.isHeld();
    boolean editedByHand = record.isHeldBy(config.identity(), record.epoch());
    if (clearedByHand || editedByHand) {
      // The holder sees an unchanged record, so only a renewal can fail or repair it.
      hintListener.run();
    } else if (!seen.isReservedForAnotherThan(config.identity())) {
      // A release reserved for another node is left to the next request.
      recordListener.accept(record);
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
          PodLabel label = components().label();
          if (label != null) {
            label.show(now);
          }
        });
  }

  @Override
  public @Nullable String degradedReason() {
    Components created = components;
    return created == null ? null : created.permissions().missing();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      thread.execute(this::release);
    }
  }

  private void release() {
    Components created = components;
    if (created != null) {
      created.watch().close();
      created.client().close();
    }
    thread.shutdown();
  }

  /**
   * Sets a label with this node's role on its pod, so that a Service can select the leader. The
   * label changes after the gate, never before it. Updates are retried until the label is correct.
   * Used on the store's thread only.
   */
  static final class PodLabel {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    static final String LABEL = "portcullis.io/role";

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final Backoff RETRY_BACKOFF =
        new Backoff(Duration.ofMillis(500), Duration.ofSeconds(20), 0.5);

    private final ApiClient client;
    private final LeaseName lease;
    private final String pod;
    private final ScheduledExecutorService thread;
    private final RetryBackoff retryBackoff = new RetryBackoff(RETRY_BACKOFF);
    private boolean wanted;
    private @Nullable Boolean shown;
    private boolean inFlight;

    PodLabel(ApiClient client, LeaseName lease, String pod, ScheduledExecutorService thread) {
      this.client = client;
      this.lease = lease;
      this.pod = pod;
      this.thread = thread;
    }

    /** Sets the role that the label must have. */
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
        return failure == null ? "no response" : ApiClient.failureText(failure);
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
        retryBackoff.reset();
        sendIfNeeded();
        return;
      }
      shown = null;
      if (retryBackoff.failures() == 0) {
        LOG.warn(
            "portcullis pod={}/{} can't be labelled why=\"{}\"", lease.namespace(), pod, problem);
      }
      long pauseNanos = retryBackoff.nextPauseNanos();
      Future<?> unused = thread.schedule(this::sendIfNeeded, pauseNanos, TimeUnit.NANOSECONDS);
    }
  }
}
