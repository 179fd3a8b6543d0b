package io.portcullis.agent.config;

import io.portcullis.agent.config.RuleSection.RuleCheck;
import io.portcullis.agent.config.hocon.ConfigSource;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.agent.config.hocon.ValueOrigin;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.extension.Extensions;
import io.portcullis.election.config.ElectionConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The complete, validated configuration of the agent.
 *
 * @param service the service's name, part of every default store key
 * @param elections in the order of the file
 */
public record AgentConfig(
    String service,
    NodeSection node,
    Activation activation,
    List<ElectionSection> elections,
    Protection protection,
    Interfaces interfaces,
    ConfigFiles files) {

  public AgentConfig {
    elections = List.copyOf(elections);
  }

  /**
   * Whether the agent is active in this JVM.
   *
   * @param whenOff the state of the gates; present if and only if the mode is off
   * @param onlyMainClass if present, the agent is active in this main class only
   */
  public record Activation(Mode mode, Optional<WhenOff> whenOff, Optional<String> onlyMainClass) {}

  /**
   * What protects the application's writes, and how.
   *
   * @param rules in the order of the file
   * @param fences in the order of the file
   * @param stackTraces whether the exception of a refused call has a stack trace
   */
  public record Protection(
      List<RuleSection> rules,
      List<FenceSection> fences,
      boolean stackTraces,
      RefusalLimits refusalLimits,
      OnWeaveError onWeaveError) {

    public Protection {
      rules = List.copyOf(rules);
      fences = List.copyOf(fences);
    }
  }

  /**
   * Limits for threads that are refused again and again.
   *
   * @param slowDownAfter refusals a second, by one rule on one thread, from which on it is slowed;
   *     0 for never
   * @param maxPause maximum delay of one refused call
   */
  public record RefusalLimits(int slowDownAfter, Duration maxPause) {}

  /** How operators and extensions reach the agent. */
  public record Interfaces(HttpSection http, LogSection log, Extensions extensions) {}

  /**
   * The files that were read, and what they amount to.
   *
   * @param main the main configuration file
   * @param all the main file and all files that it includes
   * @param warnings valid settings that deserve a warning in the log
   * @param effective every effective value with its origin, secrets redacted
   */
  public record ConfigFiles(
      Path main, List<Path> all, List<String> warnings, List<EffectiveValue> effective) {

    public ConfigFiles {
      all = List.copyOf(all);
      warnings = List.copyOf(warnings);
      effective = List.copyOf(effective);
    }
  }

  /** Loads the configuration without checking the rules. */
  public static AgentConfig load(ConfigSource source, BackendRegistry backends) {
    return load(source, backends, RuleCheck.NONE, new ExtensionRegistry());
  }

  /**
   * Reads and validates the configuration. Makes no network connection.
   *
   * @param rules checks each rule, so that its problems are in the same message
   * @param registry opens extensions
   * @throws InvalidConfigException with all problems
   */
  public static AgentConfig load(
      ConfigSource source, BackendRegistry backends, RuleCheck rules, ExtensionRegistry registry) {
    return new AgentConfigReader(source, backends, rules, registry).read();
  }

  /**
   * Combines the settings of an election with those of this node.
   *
   * @param identity unique per process
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

  /** Omits all other values, so that no secret is printed. */
  @Override
  public String toString() {
    return "AgentConfig[" + files.main() + ", service=" + service + "]";
  }

  /** What the agent does when a gated method is called. */
  public enum Mode {
    /** Refuses calls while this node is not the leader. */
    ENFORCE,
    /** Counts and logs calls, but blocks none. */
    OBSERVE,
    /** Does not participate in any election. */
    OFF
  }

  /** State of the gates while the mode is off. */
  public enum WhenOff {
    /** All gates are shut. */
    STANDBY,
    /** All gates are open, as for a single instance. */
    LEADER
  }

  /** What the agent does if it could not gate a method. */
  public enum OnWeaveError {
    /** Halts the JVM. */
    HALT,
    /** Lets the JVM run, but this node never leads. */
    REFUSE
  }

  /**
   * Settings of this node.
   *
   * @param id prefix of the node's identity
   * @param advertise address at which clients can reach this node while it leads
   * @param priority the node with the highest value is preferred as the leader
   * @param priorityAfter how long a preferred node must have been healthy before a leader yields to
   *     it
   */
  public record NodeSection(
      String id, @Nullable String advertise, int priority, Duration priorityAfter) {}

  /**
   * Settings of the agent's log.
   *
   * @param level the lowest level that is logged
   */
  public record LogSection(Level level, Format format) {
    /** Level of a log line. */
    public enum Level {
      /** Details for troubleshooting. */
      DEBUG,
      /** Normal events, such as every transition. */
      INFO,
      /** Conditions that an operator should check. */
      WARN,
      /** Failures. */
      ERROR
    }

    /** Format of a log line. */
    public enum Format {
      /** Human-readable. */
      TEXT,
      /** One JSON object per line. */
      JSON
    }
  }

  /**
   * An effective value that is safe to display.
   *
   * @param key the full key
   * @param value redacted
   * @param place where the value was set
   */
  public record EffectiveValue(String key, String value, ValueOrigin place) {
    @Override
    public String toString() {
      return key + " = " + value + "  # " + place;
    }
  }
}
