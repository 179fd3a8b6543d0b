package io.portcullis.it.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks the journal to which all nodes append: writers must follow each other in the order of the
 * grants. A writer that writes again after a successor, without a grant of its own in between,
 * wrote through a gate that should have been shut.
 */
public final class JournalCheck {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** One line of the journal. */
  public record Entry(String id, String writer) {}

  private final List<Entry> entries;

  public JournalCheck(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  public static JournalCheck read(Path journal) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (String line : Files.readAllLines(journal)) {
      JsonNode json = MAPPER.readTree(line);
      entries.add(new Entry(json.path("id").asText(), json.path("writer").asText()));
    }
    return new JournalCheck(entries);
  }

  public List<Entry> entries() {
    return entries;
  }

  /** The writers in the order of the journal; consecutive entries of one writer count once. */
  public List<String> runs() {
    List<String> runs = new ArrayList<>();
    for (Entry entry : entries) {
      if (runs.isEmpty() || !runs.get(runs.size() - 1).equals(entry.writer())) {
        runs.add(entry.writer());
      }
    }
    return runs;
  }

  /** The first run of entries that does not match the grants, ordered by epoch. */
  public List<String> violations(List<String> grantedTo) {
    int grant = 0;
    List<String> found = new ArrayList<>();
    List<String> runs = runs();
    for (int run = 0; run < runs.size() && found.isEmpty(); run++) {
      while (grant < grantedTo.size() && !grantedTo.get(grant).equals(runs.get(run))) {
        grant++;
      }
      if (grant == grantedTo.size()) {
        found.add(
            "run %d of the journal, by %s, has no grant: runs so far %s, granted to %s"
                .formatted(run + 1, runs.get(run), runs.subList(0, run + 1), grantedTo));
      }
    }
    return found;
  }

  /** Writes whose response contradicts the journal. */
  public List<String> contradictedResponses(Collection<WriteResult> writes) {
    Set<String> stored = new HashSet<>();
    entries.forEach(entry -> stored.add(entry.id()));
    List<String> found = new ArrayList<>();
    for (WriteResult write : writes) {
      if (write.accepted() && !stored.contains(write.id())) {
        found.add("accepted and not stored: " + write);
      }
      if (write.refused() && stored.contains(write.id())) {
        found.add("refused and stored: " + write);
      }
    }
    return found;
  }
}
