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
 * Asks the API server at the start whether this node may do what it will have to do, and names the
 * rule that is missing: else a standby would learn of it only when it should take over. Who may not
 * ask is told nothing. While something is missing, or nobody answers, it asks again from time to
 * time.
 */
final class PermissionCheck {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(30);

  /** One thing to be done. */
  private record RequiredPermission(String verb, String group, String resource, String name) {}

  /** What is known of one of them. */
  private enum ReviewResult {
    ALLOWED,
    REFUSED,
    /** It may not be asked. */
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
   * @param pod the pod to be labelled, null if none is
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
   * @param again the pause before it asks again
   */
  PermissionCheck(
      ApiClient client,
      LeaseName lease,
      @Nullable String pod,
      ScheduledExecutorService thread,
      ElectionConfig config,
      Duration again) {
    this.client = client;
    this.lease = lease;
    this.thread = thread;
    this.config = config;
    this.retryInterval = again;
    for (String verb : List.of("get", "create", "update", "watch")) {
      // A create can't be granted by name: the object has none yet.
      String name = verb.equals("create") ? "" : lease.name();
      required.add(new RequiredPermission(verb, "coordination.k8s.io", "leases", name));
    }
    if (pod != null) {
      required.add(new RequiredPermission("patch", "", "pods", pod));
    }
    required.forEach(need -> results.add(ReviewResult.UNANSWERED));
  }

  /** What is missing, null if nothing is known to be. Any thread may ask. */
  @Nullable String missing() {
    return missing;
  }

  /** Asks for all of them, without waiting. */
  void check() {
    List<CompletableFuture<ReviewResult>> asked = required.stream().map(this::ask).toList();
    Future<?> unused =
        CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
            .whenComplete((done, failure) -> thread.execute(() -> conclude(asked)));
  }

  private CompletableFuture<ReviewResult> ask(RequiredPermission need) {
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

  private void conclude(List<CompletableFuture<ReviewResult>> asked) {
    boolean open = false;
    List<String> refusals = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      ReviewResult answer = asked.get(i).getNow(ReviewResult.UNANSWERED);
      if (answer != ReviewResult.UNANSWERED) {
        results.set(i, answer);
      }
      open |= answer == ReviewResult.UNANSWERED || answer == ReviewResult.REFUSED;
      if (results.get(i) == ReviewResult.REFUSED) {
        refusals.add(
            MissingPermissionMessage.message(
                required.get(i).verb(), required.get(i).resource(), lease));
      }
    }
    report(refusals.isEmpty() ? null : "this node " + String.join("; this node ", refusals));
    if (open) {
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

  /** Says which right is missing, and the rule that gives it. */
  static final class MissingPermissionMessage {
    private MissingPermissionMessage() {}

    /** A sentence about one verb that is not allowed. */
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
