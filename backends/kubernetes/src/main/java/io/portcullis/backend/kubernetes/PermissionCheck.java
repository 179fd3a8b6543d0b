package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.backend.kubernetes.ApiClient.ApiRequest;
import io.portcullis.backend.kubernetes.ApiClient.ApiResponse;
import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.config.ElectionConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks at startup with the API server that this node has all required permissions, and logs the
 * missing RBAC rule. Otherwise a standby would fail only at a takeover. If the node may not run the
 * check, nothing is logged. While a permission is missing or a check gets no response, the check is
 * repeated.
 */
final class PermissionCheck {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(30);

  private record RequiredPermission(String verb, String group, String resource, String name) {}

  /** Result of the review of one permission. */
  private enum ReviewResult {
    ALLOWED,
    REFUSED,
    /** This node may not run the review. */
    UNDETERMINED,
    UNANSWERED
  }

  private final ApiClient client;
  private final LeaseName lease;
  private final List<RequiredPermission> required = new ArrayList<>();
  private final List<ReviewResult> results = new ArrayList<>();
  private final ScheduledExecutorService thread;
  private final ElectionConfig config;
  private final Duration retryInterval;
  private volatile @Nullable String missing;

  /**
   * Creates a check.
   *
   * @param pod the pod to label, null for none
   */
  PermissionCheck(
      ApiClient client,
      LeaseName lease,
      @Nullable String pod,
      ScheduledExecutorService thread,
      ElectionConfig config) {
    this(client, lease, pod, thread, config, RETRY_INTERVAL);
  }

  /**
   * Creates a check with its own retry interval.
   *
   * @param retryInterval the pause before the check is repeated
   */
  PermissionCheck(
      ApiClient client,
      LeaseName lease,
      @Nullable String pod,
      ScheduledExecutorService thread,
      ElectionConfig config,
      Duration retryInterval) {
    this.client = client;
    this.lease = lease;
    this.thread = thread;
    this.config = config;
    this.retryInterval = retryInterval;
    for (String verb : List.of("get", "create", "update", "watch")) {
      // RBAC can't grant create by name, since the object does not exist yet.
      String name = verb.equals("create") ? "" : lease.name();
      required.add(new RequiredPermission(verb, "coordination.k8s.io", "leases", name));
    }
    if (pod != null) {
      required.add(new RequiredPermission("patch", "", "pods", pod));
    }
    required.forEach(need -> results.add(ReviewResult.UNANSWERED));
  }

  /** The missing permissions in one sentence, null if none is known. Thread-safe. */
  @Nullable String missing() {
    return missing;
  }

  /** Starts the reviews of all permissions; does not wait for the results. */
  void check() {
    List<CompletableFuture<ReviewResult>> reviews = required.stream().map(this::review).toList();
    Future<?> unused =
        CompletableFuture.allOf(reviews.toArray(CompletableFuture<?>[]::new))
            .whenComplete((done, failure) -> thread.execute(() -> conclude(reviews)));
  }

  private CompletableFuture<ReviewResult> review(RequiredPermission need) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    ObjectNode wanted = review.withObject("/spec/resourceAttributes");
    wanted.put("namespace", lease.namespace()).put("verb", need.verb());
    wanted.put("group", need.group()).put("resource", need.resource());
    if (!need.name().isEmpty()) {
      wanted.put("name", need.name());
    }
    ApiRequest call = new ApiRequest("POST", REVIEWS, review.toString(), "application/json");
    return client
        .sendAsync(call, REQUEST_TIMEOUT)
        .handle((response, failure) -> response == null ? ReviewResult.UNANSWERED : read(response));
  }

  private static ReviewResult read(ApiResponse response) {
    if (response.code() == 403 || response.code() == 404) {
      return ReviewResult.UNDETERMINED;
    }
    if (response.code() / 100 != 2) {
      return ReviewResult.UNANSWERED;
    }
    try {
      JsonNode allowed = LeaseApi.JSON.readTree(response.body()).path("status").path("allowed");
      return !allowed.isBoolean()
          ? ReviewResult.UNDETERMINED
          : allowed.booleanValue() ? ReviewResult.ALLOWED : ReviewResult.REFUSED;
    } catch (JsonProcessingException e) {
      return ReviewResult.UNDETERMINED;
    }
  }

  private void conclude(List<CompletableFuture<ReviewResult>> reviews) {
    boolean retry = false;
    List<String> refusals = new ArrayList<>();
    for (int i = 0; i < reviews.size(); i++) {
      ReviewResult result = reviews.get(i).getNow(ReviewResult.UNANSWERED);
      if (result != ReviewResult.UNANSWERED) {
        results.set(i, result);
      }
      retry |= result == ReviewResult.UNANSWERED || result == ReviewResult.REFUSED;
      if (results.get(i) == ReviewResult.REFUSED) {
        refusals.add(
            MissingPermissionMessage.message(
                required.get(i).verb(), required.get(i).resource(), lease));
      }
    }
    report(refusals.isEmpty() ? null : "this node " + String.join("; this node ", refusals));
    if (retry) {
      Future<?> unused =
          thread.schedule(this::check, retryInterval.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void report(@Nullable String now) {
    String before = missing;
    missing = now;
    if (now != null && !now.equals(before)) {
      LOG.warn("portcullis election={} node={} {}", config.name(), config.identity(), now);
    } else if (now == null && before != null) {
      LOG.info(
          "portcullis election={} node={} has all rights it needs now",
          config.name(),
          config.identity());
    }
  }

  /** Error message that names a missing permission and the RBAC rule that grants it. */
  static final class MissingPermissionMessage {
    private MissingPermissionMessage() {}

    /** Returns the message for one verb. */
    static String message(String verb, String resource, LeaseName lease) {
      boolean pods = resource.equals("pods");
      return "may not "
          + verb
          + " "
          + resource
          + " in namespace "
          + lease.namespace()
          + "; add to its Role: apiGroups [\""
          + (pods ? "" : "coordination.k8s.io")
          + "\"], resources ["
          + resource
          + "], verbs ["
          + (pods ? "patch" : "get, create, update, watch")
          + "]";
    }
  }
}
