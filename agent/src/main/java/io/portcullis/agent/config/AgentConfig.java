package io.portcullis.agent.config;

import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.extension.Extensions;
import io.portcullis.election.config.ElectionConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The whole configuration, checked.
 *
 * @param file the file it came from
 * @param files that file and all that it includes
 * @param service the service, part of every default store key
 * @param mode what the agent does at a gate
 * @param whenOff how the gates stand; there exactly if the mode is off
 * @param onlyMainClass the one main class to work in, if it is named
 * @param node who this node is
 * @param elections the elections, in the file's order
 * @param rules the rules, in the file's order
 * @param fences the fences, in the file's order
 * @param stackTraces whether a refusal carries a stack trace
 * @param onWeaveError what follows if a method could not be gated
 * @param http the agent's own HTTP server
 * @param log how the agent logs
 * @param extensions what jars of others bring
 * @param warnings what is allowed and yet worth a line in the log
 * @param effective every value with its origin, secrets redacted
 */
public record AgentConfig(
    Path file,
    List<Path> files,
    String service,
    Mode mode,
    Optional<WhenOff> whenOff,
    Optional<String> onlyMainClass,
    NodeSection node,
    List<ElectionSection> elections,
    List<RuleSection> rules,
    List<FenceSection> fences,
    boolean stackTraces,
    OnWeaveError onWeaveError,
    HttpSection http,
    LogSection log,
    Extensions extensions,
    List<String> warnings,
    List<EffectiveValue> effective) {

  /** Copies the lists. */
  public AgentConfig {
    files = List.copyOf(files);
    elections = List.copyOf(elections);
    rules = List.copyOf(rules);
    fences = List.copyOf(fences);
    warnings = List.copyOf(warnings);
    effective = List.copyOf(effective);
  }

  /** {@link #load(ConfigSource, BackendCatalogue, RuleCheck, ExtensionShelf)} without the rules. */
  public static AgentConfig load(ConfigSource source, BackendRegistry backends) {
    return load(source, backends, RuleCheck.NONE, new ExtensionRegistry());
  }

  /**
   * Reads and checks all of it. Connects to nothing.
   *
   * @param rules looks at each rule, so that its problems are in the same message
   * @param shelf opens extensions
   * @throws InvalidConfigException with everything that is wrong
   */
  public static AgentConfig load(
      ConfigSource source, BackendRegistry backends, RuleCheck rules, ExtensionRegistry shelf) {
    return new AgentConfigReader(source, backends, rules, shelf).read();
  }

  /**
   * One of the elections as this node takes part in it.
   *
   * @param identity who this process is
   */
  public ElectionConfig setup(ElectionSection election, String identity) {
    return new ElectionConfig(
        service,
        election.name(),
        identity,
        node.advertise(),
        election.plan().timing(),
        node.priority());
  }

  /** So that a record never prints what it was made of. */
  @Override
  public String toString() {
    return "AgentConfig[" + file + ", service=" + service + "]";
  }
}
