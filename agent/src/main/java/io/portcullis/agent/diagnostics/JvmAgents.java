package io.portcullis.agent.diagnostics;

import java.util.List;
import java.util.stream.Stream;

/** The agents that this JVM was started with. */
final class JvmAgents {
  private JvmAgents() {}

  /**
   * Those among the JVM's arguments. Of each the file is shown; what it was told is not, since
   * other agents take keys and passwords there.
   */
  static List<String> among(List<String> arguments) {
    return arguments.stream()
        .filter(
            argument ->
                Stream.of("-javaagent:", "-agentlib:", "-agentpath:")
                    .anyMatch(argument::startsWith))
        .map(JvmAgents::withoutOptions)
        .toList();
  }

  private static String withoutOptions(String argument) {
    int options = argument.indexOf('=');
    return options < 0 ? argument : argument.substring(0, options) + "=***";
  }
}
