package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import java.util.Locale;
import java.util.Optional;

/**
 * Executes reads, deletes and reviews like a real API server; {@link WriteHandler} executes writes.
 */
final class ApiRequestHandler {
  private final ObjectStore store;
  private final WriteHandler writes;

  ApiRequestHandler(ObjectStore store) {
    this.store = store;
    this.writes = new WriteHandler(store);
  }

  /** Executes any request except a watch. */
  ServerResponse handle(ServerRequest call, AccessPolicy rights) {
    synchronized (store) { // A real server also serializes reads and writes of one object.
      try {
        Optional<ResourcePath> route = ResourcePath.of(call.path());
        return route.isPresent() ? handle(call, route.get(), rights) : otherwise(call);
      } catch (ApiErrorException refusal) {
        return ServerResponse.refused(refusal);
      } catch (RuntimeException e) {
        return ServerResponse.refused(
            new ApiErrorException(500, "InternalError", "a bug of the server: " + e));
      }
    }
  }

  private ServerResponse handle(ServerRequest call, ResourcePath route, AccessPolicy rights)
      throws ApiErrorException {
    if (route.namespace().isEmpty() && call.verb(Optional.of(route)) == Verb.CREATE) {
      throw ApiErrorException.badRequest("an empty namespace may not be set during creation");
    }
    return switch (call.verb(Optional.of(route))) {
      case GET ->
          ServerResponse.json(
              200, store.find(route).orElseThrow(() -> ApiErrorException.notFound(route)));
      case LIST -> list(call, route);
      case CREATE -> writes.create(route, Json.requested(call.body()));
      case UPDATE -> writes.update(route, Json.requested(call.body()), rights);
      case PATCH -> writes.patch(route, call.header("content-type"), call.body());
      case DELETE -> delete(route, call.body());
      case DELETECOLLECTION -> deleteAll(call, route);
      case REVIEW -> ServerResponse.json(201, review(Json.requested(call.body()), rights));
      case WATCH, OTHER -> throw new ApiErrorException(405, "MethodNotAllowed", "not allowed here");
    };
  }

  private static ServerResponse otherwise(ServerRequest call) throws ApiErrorException {
    return switch (call.path()) {
      case "/livez", "/readyz", "/healthz" -> ServerResponse.text("ok");
      case "/version" -> {
        ObjectNode version = Json.object().put("major", "1").put("minor", "34");
        yield ServerResponse.json(
            200, version.put("gitVersion", "v1.34.0").put("platform", "test"));
      }
      default -> throw ApiErrorException.noSuchResource();
    };
  }

  private ServerResponse list(ServerRequest call, ResourcePath route) {
    JsonNode items = store.ask(HttpMethod.GET, call.target(), "").body().path("items");
    ObjectNode list = Json.object();
    list.put("kind", route.resource().kind + "List");
    list.put("apiVersion", route.resource().apiVersion());
    list.putObject("metadata").put("resourceVersion", Long.toString(store.version()));
    ArrayNode published = list.putArray("items");
    items.forEach(item -> published.add(ObjectStore.published((ObjectNode) item)));
    return ServerResponse.json(200, list);
  }

  private ServerResponse delete(ResourcePath route, String body) throws ApiErrorException {
    ObjectNode current = store.find(route).orElseThrow(() -> ApiErrorException.notFound(route));
    if (!body.isBlank()) {
      JsonNode wanted = Json.requested(body).path("preconditions");
      for (String field : new String[] {"uid", "resourceVersion"}) {
        String there = current.path("metadata").path(field).asText();
        if (wanted.hasNonNull(field) && !wanted.get(field).asText().equals(there)) {
          throw ApiErrorException.conflict(
              route, "the " + field + " in the precondition is not the record's (" + there + ")");
        }
      }
    }
    store.ask(HttpMethod.DELETE, route.path(), "");
    ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
    status.put("status", "Success").putObject("metadata");
    status
        .putObject("details")
        .put("name", route.name())
        .put("group", route.resource().group)
        .put("kind", route.resource().plural)
        .put("uid", current.path("metadata").path("uid").asText());
    return ServerResponse.json(200, status);
  }

  private ServerResponse deleteAll(ServerRequest call, ResourcePath route) {
    ServerResponse deleted = list(call, route);
    store.ask(HttpMethod.DELETE, call.target(), "");
    return deleted;
  }

  private static ObjectNode review(ObjectNode review, AccessPolicy rights)
      throws ApiErrorException {
    JsonNode wanted = review.path("spec").path("resourceAttributes");
    if (!wanted.isObject() && !review.path("spec").path("nonResourceAttributes").isObject()) {
      throw new ApiErrorException(
          422, "Invalid", "spec: exactly one of the attributes must be specified");
    }
    String name = wanted.path("name").asText();
    String word = wanted.path("verb").asText().toLowerCase(Locale.ROOT);
    boolean forbidden = false;
    for (Verb verb : Verb.values()) {
      boolean meant = word.equals("*") || verb == Verb.named(word);
      forbidden |= meant && wanted.isObject() && rights.forbids(verb, name);
    }
    review.put("kind", ResourceType.REVIEWS.kind);
    review.put("apiVersion", ResourceType.REVIEWS.apiVersion());
    ObjectNode status = review.putObject("status").put("allowed", !forbidden);
    status.put("reason", forbidden ? "" : "allowed by the test");
    return review;
  }
}
