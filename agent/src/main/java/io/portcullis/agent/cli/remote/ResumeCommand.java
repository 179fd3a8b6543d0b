package io.portcullis.agent.cli.remote;

import io.portcullis.agent.config.AgentConfig;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** Lets a drained node take part again. */
@Command(
    name = "resume",
    description = {"Lets a drained node take part again."},
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {OrderCommand.EXIT_DONE, OrderCommand.EXIT_FAILED})
public final class ResumeCommand extends OrderCommand {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** For nodes whose configurations are read like this. */
  public ResumeCommand(Function<String, AgentConfig> configs) {
    super(configs);
  }

  @Override
  String path() {
    return "/api/resume";
  }

  @Override
  Map<String, Object> more() {
    return Map.of();
  }

  @Override
  boolean isDone(String role) {
    return !role.equals("DRAINED");
  }

  @Override
  Duration patience() {
    return PATIENCE;
  }
}
