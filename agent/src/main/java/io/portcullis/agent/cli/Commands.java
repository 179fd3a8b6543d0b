package io.portcullis.agent.cli;

import io.portcullis.agent.start.InnerBackends;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code java -jar portcullis-agent.jar}. */
@Command(
    name = "java -jar portcullis-agent.jar",
    description =
        "Portcullis on the command line. As an agent: -javaagent:portcullis-agent.jar=agent.conf",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class)
public final class Commands implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  private Commands() {}

  /** Runs one command and ends the JVM with its exit code. */
  public static void main(String[] arguments, Function<String, @Nullable ClassLoader> loaders) {
    InnerBackends backends = new InnerBackends(loaders);
    System.exit(
        WitnessCommand.isMeantBy(arguments)
            ? new WitnessCommand(backends).run(arguments)
            : run(arguments, backends));
  }

  static int run(String[] arguments, InnerBackends backends) {
    return new CommandLine(new Commands())
        .addSubcommand("check", new CheckCommand(backends))
        .addSubcommand("witness", new WitnessCommand(backends))
        .addSubcommand("version", new VersionCommand())
        .execute(arguments);
  }

  @Override
  public void run() {
    if (spec != null) {
      throw new ParameterException(spec.commandLine(), "Name a command.");
    }
  }
}
