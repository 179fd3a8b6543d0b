package io.portcullis.agent.config;

import java.time.Duration;
import java.util.List;

/**
 * The application's methods that are called when something happens in an election.
 *
 * @param started when this node has begun to lead
 * @param stopped when it leads no more
 * @param newLeader when somebody leads who did not before
 * @param timeout how long one call may take
 */
public record HooksSection(
    List<HookMethod> started,
    List<HookMethod> stopped,
    List<HookMethod> newLeader,
    Duration timeout) {

  /** Keeps copies. */
  public HooksSection {
    started = List.copyOf(started);
    stopped = List.copyOf(stopped);
    newLeader = List.copyOf(newLeader);
  }

  static HooksSection read(HoconSettings hooks) {
    return new HooksSection(
        methods(hooks, "started", HookMethod.NOTHING),
        methods(hooks, "stopped", HookMethod.NOTHING),
        methods(hooks, "new-leader", HookMethod.LEADER),
        hooks.duration("timeout"));
  }

  private static List<HookMethod> methods(
      HoconSettings hooks, String key, List<List<String>> allowed) {
    return hooks.optional(key, ValueReader.list(HookMethod.taking(allowed))).orElse(List.of());
  }

  /** Whether there is anything to call. */
  public boolean isSet() {
    return !started.isEmpty() || !stopped.isEmpty() || !newLeader.isEmpty();
  }
}
