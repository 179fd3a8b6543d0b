package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.server.mock.KubernetesAttributesExtractor;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.mockwebserver.crud.Attribute;
import io.fabric8.mockwebserver.crud.AttributeSet;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All objects, and the history of their changes.
 *
 * <p>The objects are stored by fabric8's mock; the history is kept here, since the mock's watches
 * ignore the version that a watch starts from.
 */
final class ObjectStore extends KubernetesCrudDispatcher {
  /** Maximum number of changes by which a watch may lag. */
  private static final int MAX_HISTORY_SIZE = 10_000;

  private final TreeMap<Long, ObjectChange> changes = new TreeMap<>();
  private long forgottenUntil;
  private long latest;

  /** Response of the mock. */
  record StoreResponse(int code, JsonNode body) {}

  /** Start of a watch: the initial events, and the version after which it continues. */
  record WatchStart(List<String> events, long version) {}

  /** Executes a request; returns the mock's response. */
  synchronized StoreResponse ask(HttpMethod method, String target, String body) {
    Headers headers = Headers.builder().add("Content-Type", "application/json").build();
    Buffer bytes = new Buffer(body.getBytes(StandardCharsets.UTF_8));
    MockResponse response =
        dispatch(new RecordedRequest("HTTP/1.1", method, target, headers, bytes));
    String text = response.getBody() == null ? "" : response.getBody().readUtf8();
    return new StoreResponse(response.code(), Json.tree(text.isEmpty() ? "{}" : text));
  }

  /** The current object, if any. */
  synchronized Optional<ObjectNode> find(ResourcePath route) {
    StoreResponse answer = ask(HttpMethod.GET, route.path(), "");
    return answer.code == 200 ? Optional.of(published((ObjectNode) answer.body)) : Optional.empty();
  }

  /** Number of the last write. */
  synchronized long version() {
    return latest;
  }

  /** Discards the history: watches that start from an earlier version get an error. */
  synchronized void forgetHistory() {
    changes.clear();
    forgottenUntil = latest;
  }

  synchronized boolean remembersAllSince(long version) {
    return version >= forgottenUntil;
  }

  /** Start of a watch without a version: with all current objects. */
  synchronized WatchStart startFor(AttributeSet query) {
    List<String> events =
        getMap().entrySet().stream()
            .filter(entry -> entry.getKey().matches(query))
            .map(entry -> ObjectChange.event("ADDED", published(Json.object(entry.getValue()))))
            .toList();
    return new WatchStart(events, latest);
  }

  /** Returns the first change after a version; null if there is none within the time. */
  synchronized Map.@Nullable Entry<Long, ObjectChange> awaitAfter(long version, long millis)
      throws InterruptedException {
    long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = due - System.nanoTime();
        latest <= version && left > 0;
        left = due - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return changes.higherEntry(version);
  }

  /** Called by the mock for every write, and for nothing else. */
  @Override
  public synchronized void processEvent(
      String path,
      AttributeSet pathAttributes,
      @Nullable AttributeSet oldAttributes,
      @Nullable GenericKubernetesResource resource,
      @Nullable String newState) {
    String old = oldAttributes == null ? null : getMap().get(oldAttributes);
    super.processEvent(path, pathAttributes, oldAttributes, resource, newState);
    if (Objects.equals(old, newState)) {
      return;
    }
    latest = newState == null ? requestResourceVersion() : versionOf(Json.object(newState));
    ObjectChange.ObjectState before = state(path, old);
    if (before != null) { // The previous state, with the number of the write that ended it.
      ((ObjectNode) before.body().get("metadata")).put("resourceVersion", "" + latest);
    }
    changes.put(latest, new ObjectChange(before, state(path, newState)));
    if (changes.size() > MAX_HISTORY_SIZE) {
      forgottenUntil = changes.pollFirstEntry().getKey();
    }
    notifyAll();
  }

  private ObjectChange.@Nullable ObjectState state(String path, @Nullable String json) {
    if (json == null) {
      return null;
    }
    ObjectNode body = published(Json.object(json));
    String plural = ResourcePath.of(path).orElseThrow().resource().plural;
    AttributeSet attributes =
        attributeExtractor
            .fromResource(json)
            .add(new Attribute(KubernetesAttributesExtractor.PLURAL, plural));
    return new ObjectChange.ObjectState(attributes, body);
  }

  private static long versionOf(JsonNode object) {
    return object.path("metadata").path("resourceVersion").asLong();
  }

  /** Removes the generation, which a real Lease does not have. */
  static ObjectNode published(ObjectNode object) {
    if (object.path("kind").asText().equals(ResourceType.LEASES.kind)) {
      ((ObjectNode) object.get("metadata")).remove("generation");
    }
    return object;
  }
}
