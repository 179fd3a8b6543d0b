package io.portcullis.agent.config;

import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.extension.Extensions;
import io.portcullis.election.config.ElectionConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

  /** What the agent does at a gate. */
  public enum Mode {
    /** Refuses calls where this node does not lead. */
    ENFORCE,
    /** Counts and logs, blocks nothing. */
    OBSERVE,
    /** Takes part in no election. */
    OFF
  }

  /** How the gates stand while the agent is off. */
  public enum WhenOff {
    /** All shut. */
    STANDBY,
    /** All open: a single instance. */
    LEADER
  }

  /** What follows if a method could not be gated. */
  public enum OnWeaveError {
    /** The JVM is stopped. */
    HALT,
    /** The node never leads. */
    REFUSE
  }

  /**
   * Who this node is.
   *
   * @param id what its identity begins with
   * @param advertise where it can be reached while it leads
   * @param priority which of several nodes is preferred: the one with the highest
   * @param priorityAfter for how long a preferred node must have been well before a leader gives
   *     way
   */
  public record NodeSection(
      String id, @Nullable String advertise, int priority, Duration priorityAfter) {}

  /**
   * How the agent logs.
   *
   * @param level the least that is logged
   * @param format how a line looks
   */
  public record LogSection(Level level, Format format) {
    /** How much is logged. */
    public enum Level {
      /** All of it. */
      DEBUG,
      /** Every transition. */
      INFO,
      /** What someone should look at. */
      WARN,
      /** What is broken. */
      ERROR
    }

    /** How a line looks. */
    public enum Format {
      /** For people. */
      TEXT,
      /** One object a line. */
      JSON
    }
  }

  /**
   * A value that holds in the end, fit to be shown.
   *
   * @param key the whole key
   * @param value the value, redacted
   * @param place where it was set
   */
  public record EffectiveValue(String key, String value, ValueOrigin place) {
    @Override
    public String toString() {
      return key + " = " + value + "  # " + place;
    }
  }
}
