package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads and changes the Leases of one namespace, like an operator with kubectl. */
public final class LeaseClient implements AutoCloseable {
  private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(2);

  /** Maximum number of attempts for a change that conflicts with others. */
  private static final int MAX_ATTEMPTS = 100;

  private final KubernetesClient client;
  private final ResourcePath collection;

  LeaseClient(KubernetesClient client, String namespace) {
    this.client = client;
    this.collection = new ResourcePath(ResourceType.LEASES, namespace, "");
  }

  /** A client with a long timeout and no retries. */
  static KubernetesClient client(Config config) {
    Config patient =
        new ConfigBuilder(config)
            .withRequestRetryBackoffLimit(0)
            .withRequestTimeout((int) REQUEST_TIMEOUT.toMillis())
            .build();
    return new KubernetesClientBuilder()
        .withConfig(patient)
        .withHttpClientFactory(new JdkHttpClientFactory())
        .build();
  }

  /** Reads a Lease; empty if it does not exist. */
  public Optional<ObjectNode> read(String name) {
    try {
      return Optional.of(ask("GET", collection.named(name), null));
    } catch (KubernetesClientException e) {
      if (e.getCode() == 404) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Creates a Lease with this {@code spec}, and returns it. */
  public ObjectNode create(String name, ObjectNode spec) {
    ObjectNode lease = Json.object();
    lease.put("apiVersion", ResourceType.LEASES.apiVersion()).put("kind", ResourceType.LEASES.kind);
    lease.putObject("metadata").put("name", name).put("namespace", collection.namespace());
    lease.set("spec", spec);
    return ask("POST", collection, lease);
  }

  /** Changes an existing Lease, with a retry after each conflict, and returns it. */
  public ObjectNode edit(String name, Consumer<ObjectNode> change) {
    for (int attempt = 1; ; attempt++) {
      ObjectNode lease = read(name).orElseThrow();
      change.accept(lease);
      try {
        return ask("PUT", collection.named(name), lease);
      } catch (KubernetesClientException e) {
        if (e.getCode() != 409 || attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Replaces a Lease without reading it first: for stale versions and invalid contents. */
  public ObjectNode replace(String name, ObjectNode lease) {
    return ask("PUT", collection.named(name), lease);
  }

  /** Deletes a Lease; false if it did not exist. */
  public boolean delete(String name) {
    try {
      ask("DELETE", collection.named(name), null);
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == 404) {
        return false;
      }
      throw e;
    }
  }

  /** Whether the API server grants this right on them. */
  boolean may(Verb verb) {
    ObjectNode review = Json.object();
    review
        .put("apiVersion", ResourceType.REVIEWS.apiVersion())
        .put("kind", ResourceType.REVIEWS.kind);
    ObjectNode asked = review.putObject("spec").putObject("resourceAttributes");
    asked.put("namespace", collection.namespace()).put("verb", verb.word());
    asked.put("group", ResourceType.LEASES.group).put("resource", ResourceType.LEASES.plural);
    String path = ResourceType.REVIEWS.root() + "/" + ResourceType.REVIEWS.plural;
    String answer = client.raw(path, "POST", review.toString());
    return Json.object(answer).path("status").path("allowed").asBoolean();
  }

  private ObjectNode ask(String method, ResourcePath route, @Nullable ObjectNode body) {
    String text = client.raw(route.path(), method, body == null ? null : body.toString());
    return Json.object(text);
  }

  @Override
  public void close() {
    client.close();
  }
}
