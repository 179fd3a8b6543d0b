package io.portcullis.agent.cli;

import io.portcullis.agent.cli.remote.AdminCommand;
import io.portcullis.agent.cli.remote.RemoteAdminCommand;
import io.portcullis.agent.cli.remote.StatusCommand;
import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.BundledBackends;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.agent.runtime.AgentVersion;
import io.portcullis.election.NodeIdentity.HostName;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Main command of the command line tool: {@code java -jar portcullis-agent.jar}. */
@Command(
    name = "java -jar portcullis-agent.jar",
    description =
        "Portcullis on the command line. As an agent: -javaagent:portcullis-agent.jar=agent.conf",
    mixinStandardHelpOptions = true,
    versionProvider = Commands.VersionCommand.class)
public final class Commands implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  private Commands() {}

  /** Runs one command and exits the JVM with its exit code. */
  public static void main(String[] arguments, Function<String, @Nullable ClassLoader> loaders) {
    BundledBackends backends = new BundledBackends(loaders);
    System.exit(
        WitnessCommand.matches(arguments)
            ? new WitnessCommand(backends).run(arguments)
            : run(arguments, backends));
  }

  static int run(String[] arguments, BundledBackends backends) {
    Function<String, AgentConfig> configs =
        file -> ConfigArgument.load(file, backends, HostName.ofThisMachine());
    CommandLine commands = new CommandLine(new Commands());
    commands
        .addSubcommand("init", new InitCommand(backends))
        .addSubcommand("check", new CheckCommand(backends))
        .addSubcommand("fence-sql", new FenceSqlCommand(configs))
        .addSubcommand("witness", new WitnessCommand(backends))
        .addSubcommand("status", new StatusCommand(configs));
    for (AdminCommand each : AdminCommand.values()) {
      commands.addSubcommand(each.word(), RemoteAdminCommand.of(each, configs));
    }
    return commands
        .addSubcommand("version", new VersionCommand())
        .setExecutionExceptionHandler(Commands::refuse)
        .execute(arguments);
  }

  /** Reports an invalid configuration without a stack trace, whichever command reads it. */
  private static int refuse(Exception e, CommandLine command, ParseResult parsed) throws Exception {
    if (e instanceof InvalidConfigException invalid) {
      return ConfigArgument.refuse(invalid.problems(), command.getErr());
    }
    throw e;
  }

  @Override
  public void run() {
    if (spec != null) {
      throw new ParameterException(spec.commandLine(), "Name a command.");
    }
  }

  @Command(
      name = "version",
      description = "Prints the version of this agent.",
      mixinStandardHelpOptions = true)
  static final class VersionCommand implements Runnable, IVersionProvider {
    @Spec private @Nullable CommandSpec spec;

    @Override
    public void run() {
      if (spec != null) {
        spec.commandLine().getOut().println(getVersion()[0]);
      }
    }

    @Override
    public String[] getVersion() {
      return new String[] {"portcullis " + AgentVersion.text()};
    }
  }
}
