package io.portcullis.agent.config;

import io.portcullis.agent.config.ConfigProblems.ProblemLocation;
import java.util.regex.Pattern;

/** What names of services, nodes, elections and rules may look like. */
final class IdRules {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]+");

  /** As long as a host's name can be; it is told to others in messages of bounded size. */
  static final int MAX_LENGTH = 64;

  private IdRules() {}

  /** Refuses an id with other characters: it becomes part of store keys, metrics and log lines. */
  static void check(ProblemLocation spot, String id, ConfigProblems problems) {
    if (!ID.matcher(id).matches()) {
      problems.refuse(
          spot, "an id may have letters A-Z a-z, digits, dot, underscore and hyphen only");
    }
  }

  /** The nearest id to a host's name. */
  static String fromHost(String hostName) {
    String id = hostName.strip().replaceAll("[^A-Za-z0-9._-]+", "-");
    String name = id.isEmpty() || id.equals("-") ? "node" : id;
    return name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH) : name;
  }
}
