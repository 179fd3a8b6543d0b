package io.portcullis.agent.cli.remote;

import io.portcullis.agent.config.AgentConfig;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Hands over in good order, and stays out. */
@Command(
    name = "drain",
    description = {
      "Hands a node's leadership over and keeps it out.",
      "New calls are refused at once, those in flight may end; then the lease is given back. The",
      "node stays out until resume."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {OrderCommand.EXIT_DONE, OrderCommand.EXIT_FAILED})
public final class DrainCommand extends OrderCommand {
  private static final Duration MARGIN = Duration.ofSeconds(15);

  @Option(
      names = "--seconds",
      paramLabel = "n",
      defaultValue = "30",
      description = "How long calls in flight may take to end, 30 unless told.")
  private int seconds;

  /** For nodes whose configurations are read like this. */
  public DrainCommand(Function<String, AgentConfig> configs) {
    super(configs);
  }

  @Override
  String path() {
    return "/api/drain";
  }

  @Override
  Map<String, Object> more() {
    return Map.of("seconds", seconds);
  }

  @Override
  boolean isDone(String role) {
    return role.equals("DRAINED");
  }

  @Override
  Duration patience() {
    return Duration.ofSeconds(seconds).plus(MARGIN);
  }
}
