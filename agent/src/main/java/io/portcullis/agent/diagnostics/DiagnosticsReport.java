package io.portcullis.agent.diagnostics;

import io.portcullis.agent.config.EffectiveValue;
import io.portcullis.agent.node.Node;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.Transition;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All that is known at one moment.
 *
 * @param at which moment
 * @param node how the node stands
 * @param transitions all transitions that are remembered, oldest first
 * @param config every value that holds, redacted, with its origin
 * @param threads the agent's own threads
 * @param versions of the agent, its libraries, the JVM and the system
 * @param agents the agents that this JVM was started with
 */
public record DiagnosticsReport(
    Instant at,
    NodeView node,
    List<Transition> transitions,
    List<EffectiveValue> config,
    List<OwnThread> threads,
    Map<String, String> versions,
    List<String> agents) {

  /**
   * Gathers them.
   *
   * @param libraries what the agent consists of
   * @param ours knows the agent's class loaders
   */
  public static DiagnosticsReport gather(
      Node node,
      List<EffectiveValue> config,
      Map<String, String> libraries,
      Predicate<ClassLoader> ours) {
    return new DiagnosticsReport(
        Instant.now(),
        node.view(),
        node.transitions().all(),
        config,
        OwnThread.all(ours),
        versions(libraries),
        JvmAgents.among(ManagementFactory.getRuntimeMXBean().getInputArguments()));
  }

  private static Map<String, String> versions(Map<String, String> libraries) {
    Map<String, String> versions = new LinkedHashMap<>(libraries);
    for (String property :
        List.of(
            "java.version",
            "java.vendor",
            "java.vm.name",
            "java.vm.version",
            "os.name",
            "os.version",
            "os.arch")) {
      versions.put(property, System.getProperty(property, ""));
    }
    return versions;
  }

  /** The agents that this JVM was started with. */
  static final class JvmAgents {
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
}
