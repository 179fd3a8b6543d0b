package io.portcullis.it.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** An HTTP response of the agent, and the times between which it was created. */
public record AgentResponse(int status, String body, long sentNanos, long receivedNanos) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public JsonNode json() {
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not JSON: " + body, e);
    }
  }

  public JsonNode election() {
    return json().path("elections").path("writer");
  }

  public String role() {
    return election().path("role").asText();
  }

  public boolean saysLeader() {
    return role().equals("LEADER");
  }

  public long epoch() {
    return election().path("epoch").asLong();
  }
}
