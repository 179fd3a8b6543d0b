package io.portcullis.agent.hooks;

import io.portcullis.agent.node.HookCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts calls by what they were for and what became of them. */
final class HookCounters {
  static final String DONE = "done";
  static final String FAILED = "failed";
  static final String TIMED_OUT = "timed_out";
  static final String MISSING = "missing";
  static final String DROPPED = "dropped";

  private static final List<String> RESULTS = List.of(DONE, FAILED, TIMED_OUT, MISSING, DROPPED);

  private final Map<String, Map<String, Long>> counts = new TreeMap<>();

  HookCounters() {
    for (String kind : List.of("started", "stopped", "new-leader")) {
      Map<String, Long> none = new TreeMap<>();
      RESULTS.forEach(result -> none.put(result, 0L));
      counts.put(kind, none);
    }
  }

  synchronized void count(String kind, String result) {
    counts.computeIfAbsent(kind, name -> new TreeMap<>()).merge(result, 1L, Long::sum);
  }

  synchronized List<HookCount> counts() {
    List<HookCount> all = new ArrayList<>();
    counts.forEach(
        (kind, results) ->
            results.forEach((result, count) -> all.add(new HookCount(kind, result, count))));
    return List.copyOf(all);
  }
}
