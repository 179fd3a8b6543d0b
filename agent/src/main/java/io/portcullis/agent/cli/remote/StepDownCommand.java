package io.portcullis.agent.cli.remote;

import io.portcullis.agent.config.AgentConfig;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Hands over without staying out for good. */
@Command(
    name = "step-down",
    description = {
      "Makes a leader hand over.",
      "It stays out until another leads, or two leases have passed."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {OrderCommand.EXIT_DONE, OrderCommand.EXIT_FAILED})
public final class StepDownCommand extends OrderCommand {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Option(
      names = "--to",
      paramLabel = "member",
      description = "The member of the quorum to hand over to; refused if it could not lead now.")
  private @Nullable String to;

  /** For nodes whose configurations are read like this. */
  public StepDownCommand(Function<String, AgentConfig> configs) {
    super(configs);
  }

  @Override
  String path() {
    return "/api/step-down";
  }

  @Override
  Map<String, Object> more() {
    return to == null ? Map.of() : Map.of("to", to);
  }

  @Override
  boolean isDone(String role) {
    return !role.equals("LEADER");
  }

  @Override
  Duration patience() {
    return PATIENCE;
  }
}
