package io.portcullis.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/**
 * One line of the journal. A line that is not a transfer has an empty id and writer.
 *
 * @param line line number, starting at 1
 */
record JournalEntry(int line, String id, String writer) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static List<JournalEntry> parse(List<String> lines) {
    List<JournalEntry> entries = new ArrayList<>();
    for (String line : lines) {
      entries.add(parse(entries.size() + 1, line));
    }
    return entries;
  }

  boolean isTransfer() {
    return !id.isEmpty() && !writer.isEmpty();
  }

  private static JournalEntry parse(int number, String line) {
    try {
      JsonNode json = JSON.readTree(line);
      return new JournalEntry(number, json.path("id").asText(), json.path("writer").asText());
    } catch (JsonProcessingException e) {
      return new JournalEntry(number, "", "");
    }
  }
}
