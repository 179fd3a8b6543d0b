package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.backend.kubernetes.ApiClient.ApiFailureException;
import io.portcullis.backend.kubernetes.ApiClient.ApiRequest;
import io.portcullis.backend.kubernetes.ApiClient.ApiResponse;
import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.backend.kubernetes.LeaseOperations.LeaseApiResult;
import io.portcullis.backend.kubernetes.PermissionCheck.MissingPermissionMessage;

/** Reads and writes the Lease at the API server; one request per call, never repeated. */
final class LeaseApi {
  static final ObjectMapper JSON = new ObjectMapper();

  private static final String CONTENT = "application/json";

  private final ApiClient client;
  private final LeaseName name;

  LeaseApi(ApiClient client, LeaseName name) {
    this.client = client;
    this.name = name;
  }

  LeaseApiResult get(long deadlineNanos) {
    LeaseApiResult reply =
        send(new ApiRequest("GET", name.path(), null, CONTENT), "get", deadlineNanos);
    return reply instanceof LeaseApiResult.Conflict
        ? new LeaseApiResult.UnknownOutcome(client.describe() + " responds with 409 to a GET")
        : reply;
  }

  LeaseApiResult create(ObjectNode lease, long deadlineNanos) {
    ApiRequest call = new ApiRequest("POST", name.collection(), lease.toString(), CONTENT);
    LeaseApiResult reply = send(call, "create", deadlineNanos);
    return reply instanceof LeaseApiResult.Missing
        ? new LeaseApiResult.UnknownOutcome("namespace " + name.namespace() + " does not exist")
        : reply;
  }

  LeaseApiResult update(ObjectNode lease, long deadlineNanos) {
    ApiRequest call = new ApiRequest("PUT", name.path(), lease.toString(), CONTENT);
    return send(call, "update", deadlineNanos);
  }

  private LeaseApiResult send(ApiRequest call, String verb, long deadlineNanos) {
    ApiResponse response;
    try {
      response = client.send(call, deadlineNanos);
    } catch (ApiFailureException e) {
      return new LeaseApiResult.UnknownOutcome(client.describe() + ": " + e.getMessage());
    }
    String body = response.body();
    return switch (response.code()) {
      case 200, 201 -> found(body);
      case 404 -> new LeaseApiResult.Missing();
      case 409 -> new LeaseApiResult.Conflict();
      case 403 ->
          new LeaseApiResult.UnknownOutcome(
              MissingPermissionMessage.message(verb, "leases", name)
                  + "; the server says: "
                  + message(body));
      default ->
          new LeaseApiResult.UnknownOutcome(
              client.describe() + " responds with " + response.code() + ": " + message(body));
    };
  }

  private LeaseApiResult found(String body) {
    try {
      if (JSON.readTree(body) instanceof ObjectNode lease) {
        LeaseDocument document = new LeaseDocument(lease);
        if (!document.uid().isEmpty() && !document.resourceVersion().isEmpty()) {
          return new LeaseApiResult.Found(document);
        }
      }
    } catch (JsonProcessingException e) {
      return new LeaseApiResult.UnknownOutcome(
          client.describe() + " returned a body that is not JSON");
    }
    return new LeaseApiResult.UnknownOutcome(
        client.describe() + " returned an object that is not a Lease");
  }

  /** Returns the message of a Status object, otherwise the beginning of the body. */
  static String message(String body) {
    try {
      JsonNode message = JSON.readTree(body).path("message");
      if (message.isTextual()) {
        return message.textValue();
      }
    } catch (JsonProcessingException e) {
      // Not JSON: the body itself is used.
    }
    String plain = body.replaceAll("\\p{Cntrl}+", " ").strip();
    return plain.length() > 200 ? plain.substring(0, 200) + "…" : plain;
  }
}
