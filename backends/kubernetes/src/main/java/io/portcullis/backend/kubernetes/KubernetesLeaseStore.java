package io.portcullis.backend.kubernetes;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.Request;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * One node's way to one Lease. Requests are carried out one after the other on a thread of the
 * store's own; what the watch tells may answer a renewal under way, since a lease that is seen to
 * be lost needs no reply.
 */
final class KubernetesLeaseStore implements LeaseStore, LeaseWatch.Ear {
  /** How long a look may take that nobody waits for. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final KubernetesLease lease;
  private final ElectionConfig config;
  private final LeaseWindow window = new LeaseWindow();
  private final ScheduledThreadPoolExecutor thread;
  private volatile Runnable wake = () -> {};
  private volatile @Nullable Errand current;
  private volatile @Nullable Parts parts;
  private volatile boolean closed;

  /** Made on the store's own thread, when first needed. */
  private record Parts(
      ApiClient client,
      LeaseDesk desk,
      LeaseWatch watch,
      Rights rights,
      @Nullable PodLabel label) {}

  KubernetesLeaseStore(KubernetesLease lease, ElectionConfig config) {
    this.lease = lease;
    this.config = config;
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, threadName());
              made.setDaemon(true);
              return made;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private String threadName() {
    return "portcullis-" + config.name() + "-kubernetes";
  }

  private Parts parts() {
    Parts made = parts;
    if (made == null) {
      ApiClient client =
          new ApiClient(
              lease.access().config(), threadName() + "-http", config.timing().askTimeout());
      LeaseName name = lease.name();
      String election = config.scope() + "/" + config.name();
      LeaseDesk desk =
          new LeaseDesk(
              new LeaseApi(client, name),
              window,
              new LeaseEdits(name.namespace(), name.name(), election),
              election,
              config.timing().longestLease(),
              config.timing().renew(),
              InstantSource.system());
      LeaseWatch watch = new LeaseWatch(client, name, window, this, thread, () -> look(desk));
      Rights rights = new Rights(client, name, lease.pod() != null, thread, config);
      String pod = lease.pod();
      PodLabel label = pod == null ? null : new PodLabel(client, name, pod, thread);
      made = new Parts(client, desk, watch, rights, label);
      parts = made;
      rights.check();
      if (label != null) {
        label.show(false);
      }
    }
    return made;
  }

  private static void look(LeaseDesk desk) {
    desk.lookAnew(System.nanoTime() + LOOK.toNanos());
  }

  @Override
  public CompletionStage<Answer> ask(Request request) {
    if (closed) {
      return CompletableFuture.completedFuture(new Answer.Unknown("the store is closed"));
    }
    long deadline = System.nanoTime() + config.timing().askTimeout().toNanos();
    Errand errand = Errand.of(request, deadline);
    thread.execute(() -> run(errand));
    return errand.answer();
  }

  private void run(Errand errand) {
    current = errand;
    try {
      Parts at = parts();
      errand.answer().complete(at.desk().answer(errand.request(), errand.deadlineNanos()));
      at.watch().tend();
    } catch (RuntimeException | LinkageError e) {
      errand.unknown(lease.describe() + ": " + e);
    } finally {
      current = null;
    }
  }

  @Override
  public void changed(LeaseDocument seen) {
    if (window.heard(seen, System.nanoTime())) {
      tell(seen.record(config.timing().longestLease()));
    }
  }

  @Override
  public void deleted(LeaseDocument seen) {
    if (window.heardOfDeletion(seen, System.nanoTime())) {
      tell(LeaseRecord.none(""));
    }
  }

  private void tell(LeaseRecord seen) {
    Errand waiting = current;
    if (waiting != null
        && waiting.request() instanceof Request.Renew renew
        && !seen.isHeldBy(renew.node(), renew.epoch())) {
      waiting.answer().complete(new Answer.HeldByOther(seen));
    }
    wake.run();
  }

  @Override
  public void onHint(Runnable listener) {
    wake = listener;
  }

  @Override
  public void leads(boolean now) {
    thread.execute(
        () -> {
          PodLabel label = parts().label();
          if (label != null) {
            label.show(now);
          }
        });
  }

  @Override
  public @Nullable String handicap() {
    Parts at = parts;
    return at == null ? null : at.rights().missing();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      thread.execute(this::free);
    }
  }

  private void free() {
    Parts made = parts;
    if (made != null) {
      made.watch().close();
      made.client().close();
    }
    thread.shutdown();
  }
}
