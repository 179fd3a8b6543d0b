package io.portcullis.election.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node's configuration of one election.
 *
 * @param scope keeps this election apart from those of other services in the same store
 * @param name the election's name within the scope
 * @param identity identity of this process; must differ between any two processes, also after a
 *     restart
 * @param address where this node can be reached while it leads, published to the other nodes; may
 *     be null
 * @param priority the store prefers the node with the highest priority if it can choose among nodes
 *     that could lead; a preference, on which no safety rests
 */
public record ElectionConfig(
    String scope,
    String name,
    String identity,
    @Nullable String address,
    Timing timing,
    int priority) {

  /** With the default priority 0. */
  public ElectionConfig(
      String scope, String name, String identity, @Nullable String address, Timing timing) {
    this(scope, name, identity, address, timing, 0);
  }

  /** Checks all fields and reports every problem at once. */
  public ElectionConfig {
    List<String> problems = new ArrayList<>();
    require(problems, "scope", scope, "the service whose election this is");
    require(problems, "name", name, "the election's name within its scope");
    require(
        problems,
        "identity",
        identity,
        "a string that no other process ever has, new at each start, such as"
            + " NodeIdentity.unique(hostName)");
    if (timing == null) {
      problems.add("timing is missing: build one with Timing.builder().");
    }
    if (!problems.isEmpty()) {
      throw new InvalidElectionException("incomplete election", problems);
    }
  }

  private static void require(
      List<String> problems, String field, @Nullable String value, String description) {
    if (value == null || value.isBlank()) {
      problems.add(field + " is missing: " + description + ".");
    } else if (value.chars().anyMatch(Character::isISOControl)) {
      problems.add(field + " contains control characters; use printable ones.");
    }
  }
}
