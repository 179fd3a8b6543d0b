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
    List<AgentThreadInfo> threads,
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

  /**
   * A thread of the agent, or of a library that it brought, at one moment.
   *
   * @param name its name
   * @param state what it does
   * @param frames where it is, innermost first
   */
  public record AgentThreadInfo(String name, String state, List<String> frames) {
    private static final int MAX_FRAMES = 12;
    private static final String PREFIX = "portcullis";

    /** All there are now; {@code ours} knows the agent's class loaders. */
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
