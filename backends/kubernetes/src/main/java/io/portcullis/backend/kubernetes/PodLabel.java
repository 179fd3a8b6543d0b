package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows this node's role as a label of its own pod, so that a Service can choose the leader. Comes
 * after the gate, never before it, and keeps trying until the label says what is true. Belongs to
 * the store's thread.
 */
final class PodLabel {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  static final String LABEL = "portcullis.io/role";

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

  private final ApiClient client;
  private final LeaseName lease;
  private final String pod;
  private final ScheduledExecutorService thread;
  private boolean wanted;
  private @Nullable Boolean shown;
  private boolean underWay;
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
    proceed();
  }

  private void proceed() {
    if (underWay || (shown != null && shown == wanted)) {
      return;
    }
    underWay = true;
    boolean leads = wanted;
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.withObject("/metadata/labels").put(LABEL, leads ? "leader" : "standby");
    String path = "/api/v1/namespaces/" + lease.namespace() + "/pods/" + pod;
    ApiRequest call =
        new ApiRequest("PATCH", path, patch.toString(), "application/merge-patch+json");
    Future<?> unused =
        client
            .sendAsync(call, PATIENCE)
            .whenComplete(
                (response, failure) ->
                    thread.execute(() -> done(leads, problem(response, failure))));
  }

  private @Nullable String problem(@Nullable ApiResponse response, @Nullable Throwable failure) {
    if (response == null) {
      return failure == null ? "no answer" : ApiClient.sentence(failure);
    }
    if (response.code() / 100 == 2) {
      return null;
    }
    return response.code() == 403
        ? "this node " + MissingPermission.sentence("patch", "pods", lease)
        : response.code() + ": " + LeaseApi.message(response.body());
  }

  private void done(boolean leads, @Nullable String problem) {
    underWay = false;
    if (problem == null) {
      shown = leads;
      failures = 0;
      proceed();
      return;
    }
    shown = null;
    if (failures == 0) {
      LOG.warn(
          "portcullis pod={}/{} can't be labelled why=\"{}\"", lease.namespace(), pod, problem);
    }
    long pause = Math.min(MAX_PAUSE.toMillis(), 500L << Math.min(failures, 10));
    failures++;
    Future<?> unused = thread.schedule(this::proceed, pause, TimeUnit.MILLISECONDS);
  }
}
