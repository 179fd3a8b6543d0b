package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Reads, writes and merges JSON. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static JsonNode tree(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + text, e);
    }
  }

  static ObjectNode object(String text) {
    return (ObjectNode) tree(text);
  }

  /** Parses the body of a request. */
  static ObjectNode requested(String body) throws ApiErrorException {
    try {
      if (MAPPER.readTree(body) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      throw ApiErrorException.badRequest(
          "couldn't get version/kind; json parse error: " + e.getMessage());
    }
    throw ApiErrorException.badRequest("the body is no JSON object");
  }

  /** Merges a patch into an object (RFC 7386): a null value removes the field. */
  static void merge(ObjectNode into, ObjectNode patch) {
    for (Map.Entry<String, JsonNode> field : patch.properties()) {
      JsonNode value = field.getValue();
      if (value.isNull()) {
        into.remove(field.getKey());
      } else if (value instanceof ObjectNode part) {
        ObjectNode target =
            into.get(field.getKey()) instanceof ObjectNode there
                ? there
                : into.putObject(field.getKey());
        merge(target, part);
      } else {
        into.set(field.getKey(), value);
      }
    }
  }
}
