package io.portcullis.agent.cli;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.BackendRegistry;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.agent.runtime.WitnessProcess;
import io.portcullis.election.NodeIdentity.HostName;
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

/** Runs a witness: a member of quorum elections that votes and never leads. */
@Command(
    name = "witness",
    description = {
      "Votes in quorum elections and never leads.", // Shown in the list of commands.
      "With it two service nodes suffice. The file has the format of agent.conf; rules have no"
          + " effect. Runs until it receives SIGTERM."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = "78:the configuration is invalid; the problems are printed")
final class WitnessCommand implements Callable<Integer> {
  private static final int INTERRUPTED = 130;

  private final BackendRegistry backends;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "witness.conf", description = "The configuration.")
  private @Nullable String file;

  WitnessCommand(BackendRegistry backends) {
    this.backends = backends;
  }

  /**
   * Whether the arguments are {@code witness} and at most a file name. Such arguments need no
   * command line parser.
   */
  static boolean matches(String[] arguments) {
    return arguments.length >= 1
        && arguments.length <= 2
        && arguments[0].equals("witness")
        && !arguments[arguments.length - 1].startsWith("-");
  }

  /**
   * Runs the command without the command line parser, which saves memory in a small process. The
   * arguments must match {@link #matches}.
   */
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
