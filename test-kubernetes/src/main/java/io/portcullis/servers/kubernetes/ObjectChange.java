package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.crud.AttributeSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A write to the store, as seen by watches.
 *
 * @param before the object before; null if none
 * @param after the object afterwards; null if none
 */
record ObjectChange(@Nullable ObjectState before, @Nullable ObjectState after) {

  /**
   * An object with the properties that selectors use.
   *
   * @param body as published
   */
  record ObjectState(AttributeSet attributes, ObjectNode body) {
    boolean matches(AttributeSet query) {
      return attributes.matches(query);
    }
  }

  /** The event for a watch of these objects, if any. */
  Optional<String> seenBy(AttributeSet query) {
    boolean matched = before != null && before.matches(query);
    if (after != null && after.matches(query)) {
      return Optional.of(event(matched ? "MODIFIED" : "ADDED", after.body));
    }
    return matched && before != null
        ? Optional.of(event("DELETED", before.body))
        : Optional.empty();
  }

  static String event(String type, ObjectNode object) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("type", type).set("object", object);
    return event.toString();
  }
}
