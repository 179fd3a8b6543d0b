package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A client that sends given requests on kept-alive connections. */
final class RawApiClient {
  static final String COLLECTION =
      "/apis/coordination.k8s.io/v1/namespaces/" + ApiServer.NAMESPACE + "/leases";

  /** No response takes this long, even on a busy machine. */
  private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration SHORT_TIMEOUT = Duration.ofMillis(1500);

  private final HttpClient client;
  private final ApiServer server;
  private final String token;
  private final Duration timeout;

  RawApiClient(ApiServer server, String token) {
    this(HttpClient.newHttpClient(), server, token, REQUEST_TIMEOUT);
  }

  private RawApiClient(HttpClient client, ApiServer server, String token, Duration patience) {
    this.client = client;
    this.server = server;
    this.token = token;
    this.timeout = patience;
  }

  /** The same with a short timeout, for responses that may not arrive. */
  RawApiClient withShortTimeout() {
    return new RawApiClient(client, server, token, SHORT_TIMEOUT);
  }

  /** A response. */
  record RawResponse(int code, JsonNode body, HttpResponse<String> response) {
    String reason() {
      return body.path("reason").asText();
    }

    String version() {
      return body.path("metadata").path("resourceVersion").asText();
    }

    String uid() {
      return body.path("metadata").path("uid").asText();
    }
  }

  static String path(String name) {
    return COLLECTION + "/" + name;
  }

  static ObjectNode lease(String name, String holder) {
    ObjectNode lease = Json.object();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.putObject("metadata").put("name", name).put("namespace", ApiServer.NAMESPACE);
    lease.putObject("spec").put("holderIdentity", holder).put("leaseDurationSeconds", 15);
    return lease;
  }

  RawResponse get(String path) {
    return ask("GET", path, "", builder -> builder);
  }

  RawResponse create(String name, String holder) {
    return post(COLLECTION, lease(name, holder));
  }

  RawResponse post(String path, JsonNode body) {
    return ask("POST", path, body.toString(), builder -> builder);
  }

  RawResponse put(String name, JsonNode body) {
    return ask("PUT", path(name), body.toString(), builder -> builder);
  }

  RawResponse delete(String name) {
    return ask("DELETE", path(name), "", builder -> builder);
  }

  RawResponse patch(String path, String type, String body) {
    return ask("PATCH", path, body, builder -> builder.header("Content-Type", type));
  }

  RawResponse ask(
      String method, String path, String body, UnaryOperator<HttpRequest.Builder> special) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .timeout(timeout)
            .header("Authorization", "Bearer " + token)
            .header("User-Agent", "agent of " + token)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    try {
      HttpResponse<String> response =
          client.send(special.apply(request).build(), BodyHandlers.ofString());
      return new RawResponse(response.statusCode(), Json.tree(response.body()), response);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
