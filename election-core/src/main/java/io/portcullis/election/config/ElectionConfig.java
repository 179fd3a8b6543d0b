package io.portcullis.election.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One election as one node takes part in it.
 *
 * @param scope what keeps this election apart from those of other services in the same store
 * @param name the election's name within the scope
 * @param identity who this process is; must differ between any two processes, also after a restart
 * @param address where the node can be reached while it leads, told to the others
 * @param timing how fast it all goes
 * @param priority among nodes that could lead as well as each other, the one with the highest is
 *     preferred where the store can choose; a wish, on which no safety rests
 */
public record ElectionConfig(
    String scope,
    String name,
    String identity,
    @Nullable String address,
    Timing timing,
    int priority) {

  /** With no preference for or against this node. */
  public ElectionConfig(
      String scope, String name, String identity, @Nullable String address, Timing timing) {
    this(scope, name, identity, address, timing, 0);
  }

  /** Names each missing part. */
  public ElectionConfig {
    List<String> problems = new ArrayList<>();
    require(problems, "scope", scope, "the service whose election this is");
    require(problems, "name", name, "the election's name within its scope");
    require(
        problems,
        "identity",
        identity,
        "a text that no other process ever has, new at each start, such as"
            + " NodeIdentity.unique(hostName)");
    if (timing == null) {
      problems.add("timing is missing: build one with Timing.builder().");
    }
    if (!problems.isEmpty()) {
      throw new InvalidElectionException("incomplete election", problems);
    }
  }

  private static void require(
      List<String> problems, String field, @Nullable String value, String whatItIs) {
    if (value == null || value.isBlank()) {
      problems.add(field + " is missing: " + whatItIs + ".");
    } else if (value.chars().anyMatch(Character::isISOControl)) {
      problems.add(field + " contains control characters; use printable ones.");
    }
  }
}
