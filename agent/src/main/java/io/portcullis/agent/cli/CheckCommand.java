package io.portcullis.agent.cli;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.BackendCatalogue;
import io.portcullis.agent.config.InvalidConfig;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads a configuration as the agent would, and says what it makes of it. */
@Command(
    name = "check",
    description =
        "Checks a configuration, with the overrides of this environment. Connects to nothing.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:it can be used", "78:it can't, for the reasons printed"})
final class CheckCommand implements Callable<Integer> {
  private final BackendCatalogue backends;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "agent.conf", description = "The file to check.")
  private @Nullable String file;

  CheckCommand(BackendCatalogue backends) {
    this.backends = backends;
  }

  @Override
  public Integer call() {
    CommandSpec command = java.util.Objects.requireNonNull(spec);
    try {
      tell(ConfigArgument.load(file, backends, "this-host"), command.commandLine().getOut());
      return 0;
    } catch (InvalidConfig e) {
      return ConfigArgument.refuse(e.problems(), command.commandLine().getErr());
    }
  }

  private static void tell(AgentConfig config, PrintWriter out) {
    out.println(
        config.file()
            + ": service "
            + config.service()
            + ", mode "
            + config.mode().name().toLowerCase(Locale.ROOT)
            + ", can be used. Classes were not looked at: see the rules' states once it runs.");
    config
        .elections()
        .forEach(
            election ->
                out.println(
                    "  election "
                        + election.name()
                        + ": "
                        + election.plan().describe()
                        + ", lease "
                        + election.plan().timing().lease().toMillis()
                        + " ms"));
    config
        .rules()
        .forEach(
            rule ->
                out.println("  rule " + rule.id() + ": " + rule.action() + " at " + rule.match()));
    config.warnings().forEach(warning -> out.println("  warning: " + warning));
  }
}
