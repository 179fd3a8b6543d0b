package io.portcullis.agent.diagnostics;

import io.portcullis.agent.config.AgentConfig.EffectiveValue;
import io.portcullis.agent.node.Node;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.TransitionHistory.Transition;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Snapshot of this node's state for troubleshooting. Contains no secrets.
 *
 * @param transitions all transitions in the history, oldest first
 * @param config every effective value, redacted, with its origin
 * @param threads threads of the agent and of its libraries
 * @param versions of the agent, its libraries, the JVM and the operating system
 * @param agents the agents on this JVM's command line, without their options
 */
public record DiagnosticsReport(
    Instant at,
    NodeView node,
    List<Transition> transitions,
    List<EffectiveValue> config,
    List<AgentThreadInfo> threads,
    Map<String, String> versions,
    List<String> agents) {

  /**
   * Takes a snapshot now.
   *
   * @param libraries versions of the agent's parts, by name
   * @param ours matches the agent's class loaders
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
        AgentThreadInfo.all(ours),
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

  /** Finds agents in the JVM's arguments. */
  static final class JvmAgents {
    private JvmAgents() {}

    /**
     * Returns the agents with their file names. Their options are hidden, since other agents take
     * keys and passwords there.
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

  /**
   * State of a thread of the agent, or of one of its libraries, at one moment.
   *
   * @param state the name of its {@link Thread.State}
   * @param frames innermost first, at most {@link #MAX_FRAMES}
   */
  public record AgentThreadInfo(String name, String state, List<String> frames) {
    private static final int MAX_FRAMES = 12;
    private static final String PREFIX = "portcullis";

    /** Lists the live threads, sorted by name. {@code ours} matches the agent's class loaders. */
    static List<AgentThreadInfo> all(Predicate<ClassLoader> ours) {
      return Thread.getAllStackTraces().entrySet().stream()
          .filter(entry -> isOurs(entry.getKey(), ours))
          .map(
              entry ->
                  new AgentThreadInfo(
                      entry.getKey().getName(),
                      entry.getKey().getState().name(),
                      frames(entry.getValue())))
          .sorted(Comparator.comparing(AgentThreadInfo::name))
          .toList();
    }

    private static boolean isOurs(Thread thread, Predicate<ClassLoader> ours) {
      ClassLoader loader = thread.getContextClassLoader();
      return thread.getName().startsWith(PREFIX) || (loader != null && ours.test(loader));
    }

    private static List<String> frames(StackTraceElement[] stack) {
      return Arrays.stream(stack).limit(MAX_FRAMES).map(StackTraceElement::toString).toList();
    }
  }
}
