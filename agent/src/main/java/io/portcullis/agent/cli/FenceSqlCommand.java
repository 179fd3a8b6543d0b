package io.portcullis.agent.cli;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.FenceSection;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the SQL that a database administrator must run before a database can be fenced. */
@Command(
    name = "fence-sql",
    description = {
      "Prints the SQL that prepares the databases of the configured fences.",
      "Needed only if the fence's role may not create tables and functions. The SQL is idempotent:",
      "objects that are up to date do not change. Opens no connection."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:printed", "1:there are no fences", "78:the configuration is invalid"})
final class FenceSqlCommand implements Callable<Integer> {
  private static final int NO_FENCES = 1;

  private final Function<@Nullable String, AgentConfig> configs;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "agent.conf", description = "The configuration.")
  private @Nullable String file;

  FenceSqlCommand(Function<@Nullable String, AgentConfig> configs) {
    this.configs = configs;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    AgentConfig config = configs.apply(file);
    if (config.protection().fences().isEmpty()) {
      command.commandLine().getErr().println(config.files().main() + " has no fences.");
      return NO_FENCES;
    }
    PrintWriter out = command.commandLine().getOut();
    for (FenceSection fence : config.protection().fences()) {
      out.println("-- fence " + fence.id() + ": " + fence.plan().describe());
      fence.plan().setUp().forEach(statement -> out.println(statement + ";"));
    }
    return 0;
  }
}
