package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.zjsonpatch.JsonPatch;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Creates and changes objects, with a real API server's checks before the mock's store. */
final class WriteHandler {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

  private final ObjectStore store;

  WriteHandler(ObjectStore store) {
    this.store = store;
  }

  ServerResponse create(ResourcePath collection, ObjectNode object) throws ApiErrorException {
    if (!collection.isCollection()) {
      throw new ApiErrorException(405, "MethodNotAllowed", "POST to an object is not allowed");
    }
    ObjectNode metadata = metadata(object);
    String wanted = metadata.path("generateName").asText();
    if (metadata.path("name").asText().isEmpty() && !wanted.isEmpty()) {
      metadata.put("name", wanted + UUID.randomUUID().toString().substring(0, 5));
    }
    if (metadata.path("name").asText().isEmpty()) {
      throw ApiErrorException.invalid(
          collection, "metadata.name: Required value: name is required");
    }
    ResourcePath route = collection.named(metadata.path("name").asText());
    if (!metadata.path("resourceVersion").asText().isEmpty()) {
      throw new ApiErrorException(
          500, "", "resourceVersion should not be set on objects to be created");
    }
    check(route, object);
    if (store.find(route).isPresent()) {
      throw new ApiErrorException(409, "AlreadyExists", route + " already exists");
    }
    return written(route, store.ask(HttpMethod.POST, collection.path(), object.toString()), 201);
  }

  /**
   * Replaces an object. A real server recreates a Lease that was deleted, unless the request names
   * the uid of the old one; and it replaces no Lease unless the request names a version.
   */
  ServerResponse update(ResourcePath route, ObjectNode object, AccessPolicy rights)
      throws ApiErrorException {
    if (route.isCollection()) {
      throw new ApiErrorException(405, "MethodNotAllowed", "PUT to a collection is not allowed");
    }
    check(route, object);
    ObjectNode metadata = metadata(object);
    Optional<ObjectNode> current = store.find(route);
    boolean lease = route.resource() == ResourceType.LEASES;
    if (current.isEmpty() && !lease) {
      throw ApiErrorException.notFound(route);
    }
    sameUid(route, current, metadata);
    if (current.isEmpty()) {
      if (rights.forbids(Verb.CREATE, route.name())) {
        throw ApiErrorException.forbidden(route, Verb.CREATE);
      }
      metadata.remove("resourceVersion");
      metadata.put("name", route.name());
      return create(route.collection(), object);
    }
    if (lease && metadata.path("resourceVersion").asText().isEmpty()) {
      throw ApiErrorException.invalid(
          route, "metadata.resourceVersion: Invalid value: 0: must be specified for an update");
    }
    return replace(route, current.get(), object);
  }

  ServerResponse patch(ResourcePath route, String contentType, String body)
      throws ApiErrorException {
    ObjectNode current = store.find(route).orElseThrow(() -> ApiErrorException.notFound(route));
    ObjectNode patched = current.deepCopy();
    String type = contentType.split(";", 2)[0].trim();
    switch (type) {
      case "application/merge-patch+json", "application/strategic-merge-patch+json" ->
          Json.merge(patched, Json.requested(body));
      case "application/json-patch+json" -> patched = jsonPatched(route, patched, body);
      default -> throw new ApiErrorException(415, "UnsupportedMediaType", "no such patch: " + type);
    }
    check(route, patched);
    sameUid(route, Optional.of(current), metadata(patched));
    return replace(route, current, patched);
  }

  private static ObjectNode jsonPatched(ResourcePath route, ObjectNode from, String body)
      throws ApiErrorException {
    try {
      if (Json.tree(body) instanceof ArrayNode patch
          && JsonPatch.apply(patch, from) instanceof ObjectNode patched) {
        return patched;
      }
    } catch (JsonPatchException | IllegalArgumentException e) {
      throw ApiErrorException.invalid(route, "the patch can't be applied: " + e.getMessage());
    }
    throw ApiErrorException.badRequest("a JSON patch is an array of changes to an object");
  }

  /** Checks the uid of a request, which must be that of the current object. */
  private static void sameUid(ResourcePath route, Optional<ObjectNode> current, ObjectNode metadata)
      throws ApiErrorException {
    String uid = metadata.path("uid").asText();
    String uidNow = current.map(now -> now.path("metadata").path("uid").asText()).orElse("");
    if (!uid.isEmpty() && !uid.equals(uidNow)) {
      String why = "UID in precondition: " + uid + ", UID in object meta: " + uidNow;
      throw ApiErrorException.conflict(route, "Precondition failed: " + why);
    }
  }

  private ServerResponse replace(ResourcePath route, ObjectNode current, ObjectNode object)
      throws ApiErrorException {
    ObjectNode metadata = metadata(object);
    metadata.put("name", route.name());
    JsonNode version = metadata.path("resourceVersion");
    if (!version.asText().isEmpty()
        && !version.asText().equals(current.path("metadata").path("resourceVersion").asText())) {
      throw ApiErrorException.conflict(
          route,
          "the object has been modified; please apply your changes to the latest version and try"
              + " again");
    }
    metadata.remove("deletionTimestamp"); // Only a delete sets it; the mock would treat it as one.
    return written(route, store.ask(HttpMethod.PUT, route.path(), object.toString()), 200);
  }

  /** The store's response, with the code of a real server. */
  private ServerResponse written(ResourcePath route, ObjectStore.StoreResponse answer, int code)
      throws ApiErrorException {
    if (answer.code() >= 300) {
      String message = answer.body().path("message").asText("the store refuses it");
      throw new ApiErrorException(
          answer.code(), answer.code() == 400 ? "BadRequest" : "Invalid", message);
    }
    return ServerResponse.json(
        code, store.find(route).orElseThrow(() -> ApiErrorException.notFound(route)));
  }

  private static void check(ResourcePath route, ObjectNode object) throws ApiErrorException {
    String kind = object.path("kind").asText();
    String version = object.path("apiVersion").asText();
    if (!kind.equals(route.resource().kind) || !version.equals(route.resource().apiVersion())) {
      throw ApiErrorException.badRequest(
          "the object (" + version + ", " + kind + ") is not what belongs to the URL");
    }
    ObjectNode metadata = metadata(object);
    same("name", metadata, route.name());
    same("namespace", metadata, route.namespace());
    if (!NAME.matcher(route.name()).matches()) {
      throw ApiErrorException.invalid(
          route, "metadata.name: Invalid value: \"" + route.name() + "\": no RFC 1123 subdomain");
    }
    onlyTexts("annotations", metadata);
    onlyTexts("labels", metadata);
    if (route.resource() == ResourceType.LEASES) {
      LeaseValidator.apply(route, object);
    }
  }

  private static void same(String field, ObjectNode metadata, String inUrl)
      throws ApiErrorException {
    String given = metadata.path(field).asText();
    if (!given.isEmpty() && !given.equals(inUrl)) {
      throw ApiErrorException.badRequest(
          "the "
              + field
              + " of the object ("
              + given
              + ") does not match the "
              + field
              + " on the URL ("
              + inUrl
              + ")");
    }
  }

  private static void onlyTexts(String field, ObjectNode metadata) throws ApiErrorException {
    for (Map.Entry<String, JsonNode> entry : metadata.path(field).properties()) {
      if (!entry.getValue().isTextual()) {
        throw ApiErrorException.badRequest(
            "metadata." + field + "." + entry.getKey() + ": " + entry.getValue() + " is no string");
      }
    }
  }

  private static ObjectNode metadata(ObjectNode object) throws ApiErrorException {
    if (object.path("metadata") instanceof ObjectNode metadata) {
      return metadata;
    }
    throw ApiErrorException.badRequest("metadata is no object");
  }
}
