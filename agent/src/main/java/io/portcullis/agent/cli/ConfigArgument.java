package io.portcullis.agent.cli;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.BackendRegistry;
import io.portcullis.agent.config.hocon.ConfigSource;
import io.portcullis.agent.config.hocon.ConfigSource.MissingSecrets;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.runtime.RuleFactory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the configuration of a command exactly as the agent reads it. */
final class ConfigArgument {
  /** Exit code for an invalid configuration. */
  static final int BAD_CONFIG = 78;

  private ConfigArgument() {}

  static AgentConfig load(@Nullable String file, BackendRegistry backends, String hostName) {
    return load(file, backends, hostName, Map.of(), MissingSecrets.REFUSE);
  }

  /** Reads a configuration with overrides besides those of the system properties. */
  static AgentConfig load(
      @Nullable String file,
      BackendRegistry backends,
      String hostName,
      Map<String, String> overrides,
      MissingSecrets missingSecrets) {
    Map<String, String> properties = new HashMap<>(ConfigSource.texts(System.getProperties()));
    properties.putAll(overrides);
    ConfigSource source =
        new ConfigSource(
            file,
            System.getenv(),
            properties,
            Path.of("").toAbsolutePath(),
            hostName,
            missingSecrets);
    return AgentConfig.load(source, backends, new RuleFactory(), new ExtensionRegistry());
  }

  /** Prints the problems and returns the exit code. */
  static int refuse(List<?> problems, PrintWriter err) {
    err.println(problems.size() == 1 ? "1 problem:" : problems.size() + " problems:");
    problems.forEach(err::println);
    return BAD_CONFIG;
  }
}
