package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.backend.kubernetes.ApiClient.ApiFailureException;
import io.portcullis.backend.kubernetes.ApiClient.ApiRequest;
import io.portcullis.backend.kubernetes.ApiClient.ApiResponse;
import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.backend.kubernetes.LeaseOperations.LeaseReply;
import io.portcullis.backend.kubernetes.PermissionCheck.MissingPermission;

/** The Lease by way of the API server: one request each, never repeated. */
final class LeaseApi {
  static final ObjectMapper JSON = new ObjectMapper();

  private static final String CONTENT = "application/json";

  private final ApiClient client;
  private final LeaseName name;

  LeaseApi(ApiClient client, LeaseName name) {
    this.client = client;
    this.name = name;
  }

  LeaseReply get(long deadlineNanos) {
    LeaseReply reply =
        send(new ApiRequest("GET", name.path(), null, CONTENT), "get", deadlineNanos);
    return reply instanceof LeaseReply.Conflict
        ? new LeaseReply.Unclear(client.describe() + " answers 409 to a question")
        : reply;
  }

  LeaseReply create(ObjectNode lease, long deadlineNanos) {
    ApiRequest call = new ApiRequest("POST", name.collection(), lease.toString(), CONTENT);
    LeaseReply reply = send(call, "create", deadlineNanos);
    return reply instanceof LeaseReply.Missing
        ? new LeaseReply.Unclear("namespace " + name.namespace() + " does not exist")
        : reply;
  }

  LeaseReply update(ObjectNode lease, long deadlineNanos) {
    ApiRequest call = new ApiRequest("PUT", name.path(), lease.toString(), CONTENT);
    return send(call, "update", deadlineNanos);
  }

  private LeaseReply send(ApiRequest call, String verb, long deadlineNanos) {
    ApiResponse response;
    try {
      response = client.send(call, deadlineNanos);
    } catch (ApiFailureException e) {
      return new LeaseReply.Unclear(client.describe() + ": " + e.getMessage());
    }
    String body = response.body();
    return switch (response.code()) {
      case 200, 201 -> found(body);
      case 404 -> new LeaseReply.Missing();
      case 409 -> new LeaseReply.Conflict();
      case 403 ->
          new LeaseReply.Unclear(
              MissingPermission.sentence(verb, "leases", name)
                  + "; the server says: "
                  + message(body));
      default ->
          new LeaseReply.Unclear(
              client.describe() + " answers " + response.code() + ": " + message(body));
    };
  }

  private LeaseReply found(String body) {
    try {
      if (JSON.readTree(body) instanceof ObjectNode lease) {
        LeaseDocument document = new LeaseDocument(lease);
        if (!document.uid().isEmpty() && !document.resourceVersion().isEmpty()) {
          return new LeaseReply.Found(document);
        }
      }
    } catch (JsonProcessingException e) {
      return new LeaseReply.Unclear(client.describe() + " answers something that is no JSON");
    }
    return new LeaseReply.Unclear(client.describe() + " answers something that is no Lease");
  }

  /** The message in a Status, or the beginning of whatever it is. */
  static String message(String body) {
    try {
      JsonNode message = JSON.readTree(body).path("message");
      if (message.isTextual()) {
        return message.textValue();
      }
    } catch (JsonProcessingException e) {
      // Shown as it is.
    }
    String plain = body.replaceAll("\\p{Cntrl}+", " ").strip();
    return plain.length() > 200 ? plain.substring(0, 200) + "…" : plain;
  }
}
