package io.portcullis.agent.config.hocon;

import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import java.util.regex.Pattern;

/** Validates the ids of services, nodes, elections, rules and fences. */
public final class IdRules {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]+");

  /** Length limit of host names; node ids are sent to other nodes in messages of limited size. */
  public static final int MAX_LENGTH = 64;

  private IdRules() {}

  /**
   * Refuses an id with invalid characters; ids become part of store keys, metrics and log lines.
   */
  public static void check(ProblemLocation location, String id, ConfigProblems problems) {
    if (!ID.matcher(id).matches()) {
      problems.refuse(
          location, "an id may have letters A-Z a-z, digits, dot, underscore and hyphen only");
    }
  }

  /** Converts a host name to a valid id. */
  public static String fromHost(String hostName) {
    String id = hostName.strip().replaceAll("[^A-Za-z0-9._-]+", "-");
    String name = id.isEmpty() || id.equals("-") ? "node" : id;
    return name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH) : name;
  }
}
