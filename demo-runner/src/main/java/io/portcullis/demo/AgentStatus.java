package io.portcullis.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Status of one election as reported by an agent. */
record AgentStatus(String role, String epoch) {
  /** Status of an agent that does not respond. */
  static final AgentStatus UNKNOWN = new AgentStatus("-", "-");

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Parses the body of {@code GET /api/status}; {@link #UNKNOWN} if the election is missing. */
  static AgentStatus parse(String election, String body) {
    try {
      JsonNode found = JSON.readTree(body).path("elections").path(election);
      return found.isObject()
          ? new AgentStatus(found.path("role").asText("-"), found.path("epoch").asText("-"))
          : UNKNOWN;
    } catch (JsonProcessingException e) {
      return UNKNOWN;
    }
  }

  boolean leads() {
    return role.equals("LEADER");
  }
}
