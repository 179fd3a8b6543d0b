package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import java.util.Locale;
import java.util.Optional;

/** Reads, deletes and reviews as a real API server carries them out; {@link Writes} are apart. */
final class Api {
  private final ObjectStore store;
  private final Writes writes;

  Api(ObjectStore store) {
    this.store = store;
    this.writes = new Writes(store);
  }

  /** Carries out anything but a watch. */
  Reply carryOut(Call call, Rights rights) {
    synchronized (store) { // A real server's reads and writes of one object come one by one too.
      try {
        Optional<Route> route = Route.of(call.path());
        return route.isPresent() ? carryOut(call, route.get(), rights) : otherwise(call);
      } catch (ApiErrorException refusal) {
        return Reply.refused(refusal);
      } catch (RuntimeException e) {
        return Reply.refused(
            new ApiErrorException(500, "InternalError", "a bug of the server: " + e));
      }
    }
  }

  private Reply carryOut(Call call, Route route, Rights rights) throws ApiErrorException {
    if (route.namespace().isEmpty() && call.verb(Optional.of(route)) == Verb.CREATE) {
      throw ApiErrorException.badRequest("an empty namespace may not be set during creation");
    }
    return switch (call.verb(Optional.of(route))) {
      case GET ->
          Reply.json(200, store.find(route).orElseThrow(() -> ApiErrorException.notFound(route)));
      case LIST -> list(call, route);
      case CREATE -> writes.create(route, Json.requested(call.body()));
      case UPDATE -> writes.update(route, Json.requested(call.body()), rights);
      case PATCH -> writes.patch(route, call.header("content-type"), call.body());
      case DELETE -> delete(route, call.body());
      case DELETECOLLECTION -> deleteAll(call, route);
      case REVIEW -> Reply.json(201, review(Json.requested(call.body()), rights));
      case WATCH, OTHER -> throw new ApiErrorException(405, "MethodNotAllowed", "not allowed here");
    };
  }

  private static Reply otherwise(Call call) throws ApiErrorException {
    return switch (call.path()) {
      case "/livez", "/readyz", "/healthz" -> Reply.text("ok");
      case "/version" -> {
        ObjectNode version = Json.object().put("major", "1").put("minor", "34");
        yield Reply.json(200, version.put("gitVersion", "v1.34.0").put("platform", "test"));
      }
      default -> throw ApiErrorException.noSuchResource();
    };
  }

  private Reply list(Call call, Route route) {
    JsonNode items = store.ask(HttpMethod.GET, call.target(), "").body().path("items");
    ObjectNode list = Json.object();
    list.put("kind", route.resource().kind + "List");
    list.put("apiVersion", route.resource().apiVersion());
    list.putObject("metadata").put("resourceVersion", Long.toString(store.version()));
    ArrayNode published = list.putArray("items");
    items.forEach(item -> published.add(ObjectStore.published((ObjectNode) item)));
    return Reply.json(200, list);
  }

  private Reply delete(Route route, String body) throws ApiErrorException {
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
    return Reply.json(200, status);
  }

  private Reply deleteAll(Call call, Route route) {
    Reply deleted = list(call, route);
    store.ask(HttpMethod.DELETE, call.target(), "");
    return deleted;
  }

  private static ObjectNode review(ObjectNode review, Rights rights) throws ApiErrorException {
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
      forbidden |= meant && wanted.isObject() && rights.forbid(verb, name);
    }
    review.put("kind", Resource.REVIEWS.kind);
    review.put("apiVersion", Resource.REVIEWS.apiVersion());
    ObjectNode status = review.putObject("status").put("allowed", !forbidden);
    status.put("reason", forbidden ? "" : "allowed by the test");
    return review;
  }
}
