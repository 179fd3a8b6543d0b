package io.portcullis.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What an agent says of one election. */
record AgentStatus(String role, String epoch) {
  /** The status of an agent that does not answer. */
  static final AgentStatus SILENT = new AgentStatus("-", "-");

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reads the body of {@code GET /api/status}; silent if it does not speak of the election. */
  static AgentStatus parse(String election, String body) {
    try {
      JsonNode found = JSON.readTree(body).path("elections").path(election);
      return found.isObject()
          ? new AgentStatus(found.path("role").asText("-"), found.path("epoch").asText("-"))
          : SILENT;
    } catch (JsonProcessingException e) {
      return SILENT;
    }
  }

  boolean leads() {
    return role.equals("LEADER");
  }
}
