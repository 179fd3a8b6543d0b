package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.crud.AttributeSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One write to the store, as watches see it.
 *
 * @param before what was there; null if nothing
 * @param after what is there now; null if nothing
 */
record ObjectChange(@Nullable ObjectState before, @Nullable ObjectState after) {

  /**
   * An object with what selectors look at.
   *
   * @param body as it is published
   */
  record ObjectState(AttributeSet attributes, ObjectNode body) {
    boolean matches(AttributeSet query) {
      return attributes.matches(query);
    }
  }

  /** The event that a watch of these objects gets, if any. */
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
