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

/** The Leases of one namespace, as a person with kubectl reads and changes them. */
public final class LeaseClient implements AutoCloseable {
  private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(2);

  /** How often a change may be overtaken by others' before it is given up. */
  private static final int MAX_ATTEMPTS = 100;

  private final KubernetesClient client;
  private final ResourcePath collection;

  LeaseClient(KubernetesClient client, String namespace) {
    this.client = client;
    this.collection = new ResourcePath(ResourceType.LEASES, namespace, "");
  }

  /** A client that gives up late and asks once. */
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

  /** Reads one; empty if it is not there. */
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

  /** Makes a new one with this {@code spec}, and returns it. */
  public ObjectNode create(String name, ObjectNode spec) {
    ObjectNode lease = Json.object();
    lease.put("apiVersion", ResourceType.LEASES.apiVersion()).put("kind", ResourceType.LEASES.kind);
    lease.putObject("metadata").put("name", name).put("namespace", collection.namespace());
    lease.set("spec", spec);
    return ask("POST", collection, lease);
  }

  /** Changes one that is there, again where somebody else was faster, and returns it. */
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

  /** Replaces one without a look at what is there: for stale versions and wrong contents. */
  public ObjectNode replace(String name, ObjectNode lease) {
    return ask("PUT", collection.named(name), lease);
  }

  /** Deletes one; false if it was not there. */
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

  /** Whether the API server allows this to be done with them. */
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
