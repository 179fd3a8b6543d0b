package io.portcullis.agent.cli;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.BackendRegistry;
import io.portcullis.agent.config.InvalidConfigException;
import io.portcullis.agent.runtime.WitnessProcess;
import io.portcullis.election.HostName;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes part in quorum elections as a member that only votes. */
@Command(
    name = "witness",
    description = {
      "Votes in quorum elections and never leads.", // All that the list of commands shows.
      "With it two service nodes suffice. The file is written as agent.conf is; rules do nothing."
          + " Runs until it is told to end (SIGTERM)."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = "78:the configuration can't be used, for the reasons printed")
final class WitnessCommand implements Callable<Integer> {
  private static final int INTERRUPTED = 130;

  private final BackendRegistry backends;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "witness.conf", description = "The file to go by.")
  private @Nullable String file;

  WitnessCommand(BackendRegistry backends) {
    this.backends = backends;
  }

  /** True for {@code witness} with at most a file's name: then nothing has to be parsed. */
  static boolean isMeantBy(String[] arguments) {
    return arguments.length >= 1
        && arguments.length <= 2
        && arguments[0].equals("witness")
        && !arguments[arguments.length - 1].startsWith("-");
  }

  /** The same as through the parser of commands, which a small process can do without. */
  int run(String[] arguments) {
    file = arguments.length == 2 ? arguments[1] : null;
    OutputStream err = new FileOutputStream(FileDescriptor.err);
    return serve(new PrintWriter(err, true, StandardCharsets.UTF_8));
  }

  @Override
  public Integer call() {
    return serve(Objects.requireNonNull(spec).commandLine().getErr());
  }

  private int serve(PrintWriter err) {
    AgentConfig config;
    try {
      config = ConfigArgument.load(file, backends, HostName.ofThisMachine());
    } catch (InvalidConfigException e) {
      return ConfigArgument.refuse(e.problems(), err);
    }
    List<String> objections = WitnessProcess.objections(config);
    if (!objections.isEmpty()) {
      return ConfigArgument.refuse(objections, err);
    }
    try {
      WitnessProcess.run(config);
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return INTERRUPTED;
    }
  }
}
