package io.portcullis.agent.cli;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.BackendRegistry;
import io.portcullis.agent.config.hocon.ConfigSource;
import io.portcullis.agent.config.hocon.ConfigSource.MissingSecrets;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.runtime.RuleFactory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the configuration of a command exactly as the agent reads it. */
final class ConfigArgument {
  /** Exit code for an invalid configuration. */
  static final int BAD_CONFIG = 78;

  private ConfigArgument() {}

  static AgentConfig load(@Nullable String file, BackendRegistry backends, String hostName) {
    return load(file, backends, hostName, MissingSecrets.REFUSE);
  }

  static AgentConfig load(
      @Nullable String file,
      BackendRegistry backends,
      String hostName,
      MissingSecrets missingSecrets) {
    ConfigSource source =
        new ConfigSource(
            file,
            System.getenv(),
            ConfigSource.texts(System.getProperties()),
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
