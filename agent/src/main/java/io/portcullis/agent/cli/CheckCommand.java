package io.portcullis.agent.cli;

import io.portcullis.agent.cli.StoreCheck.StoreCheckResult;
import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.BackendRegistry;
import io.portcullis.agent.config.ElectionSection;
import io.portcullis.agent.config.FenceSection;
import io.portcullis.agent.config.hocon.ConfigSource.MissingSecrets;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.rules.check.classpath.ClassPath.ApplicationClassCheck;
import io.portcullis.rules.match.MatchPattern.InvalidPatternException;
import java.io.File;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Validates a configuration, and optionally checks its rules on the application's classes. */
@Command(
    name = "check",
    description = {
      "Checks a configuration, and which methods its rules would gate.",
      "Overrides in this environment are applied. With --classpath the rules are matched with the",
      "application's class files. Loads no class of the application, and opens no connection",
      "unless --connect is set."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:the configuration is valid",
      "1:the configuration is valid, but there are warnings or ungated writes, and --strict is set;"
          + " or --connect is set and a store did not respond",
      "78:the configuration is invalid; the problems are printed"
    })
final class CheckCommand implements Callable<Integer> {
  private static final int HAS_WARNINGS = 1;

  private final BackendRegistry backends;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "agent.conf", description = "The file to check.")
  private @Nullable String file;

  @Option(
      names = {"--classpath", "--class-path", "-cp"},
      paramLabel = "path",
      description = {
        "The application's jars, wars and directories, separated as in java -cp; lib/* for all",
        "jars of a folder. Jars within them are read too. May be given several times."
      })
  private List<String> classPath = new ArrayList<>();

  @Option(
      names = "--ungated",
      description = {
        "Also list the calls of known write APIs (JDBC, JPA, Spring Data, Kafka and others) in the",
        "application's own classes that a standby can reach without passing a gate."
      })
  private boolean ungated;

  @Option(
      names = "--own",
      paramLabel = "pattern",
      description = {
        "Which classes are the application's own, such as 'com.acme.**'; may be given several",
        "times. Default: BOOT-INF/classes, WEB-INF/classes, directories and the first path."
      })
  private List<String> own = new ArrayList<>();

  @Option(names = "--all", description = "Print all methods, not only the first ones of each rule.")
  private boolean all;

  @Option(
      names = "--connect",
      description = {
        "Also ask the store of each election who holds the lease. Changes nothing there. The nodes",
        "of a quorum are not asked."
      })
  private boolean connect;

  @Option(names = "--strict", description = "Exit with code 1 if there are warnings.")
  private boolean strict;

  @Option(
      names = "--offline-secrets",
      description = {
        "Only warn about files of secrets that can't be read, for checks on a laptop or in CI."
      })
  private boolean offlineSecrets;

  CheckCommand(BackendRegistry backends) {
    this.backends = backends;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    if (connect && offlineSecrets) {
      throw new ParameterException(
          command.commandLine(),
          "--connect needs the real secrets; leave out --offline-secrets to log in to the stores.");
    }
    OfflineCheck offline = offline(command);
    try {
      MissingSecrets missing = offlineSecrets ? MissingSecrets.WARN : MissingSecrets.REFUSE;
      AgentConfig config = ConfigArgument.load(file, backends, "this-host", Map.of(), missing);
      int unresponsive = print(config, out);
      int warnings = config.files().warnings().size();
      if (offline != null) {
        OfflineCheck.Outcome outcome = offline.run(config, out);
        if (!outcome.problems().isEmpty()) {
          out.flush();
          return ConfigArgument.refuse(outcome.problems(), err);
        }
        warnings += outcome.warnings();
        out.println("can be used with this class path; warnings: " + warnings);
      }
      return unresponsive > 0 || (strict && warnings > 0) ? HAS_WARNINGS : 0;
    } catch (InvalidConfigException e) {
      return ConfigArgument.refuse(e.problems(), err);
    }
  }

  /** Returns null if no class path is given. */
  private @Nullable OfflineCheck offline(CommandSpec command) {
    List<String> paths =
        classPath.stream()
            .flatMap(path -> Stream.of(path.split(File.pathSeparator, -1)))
            .filter(path -> !path.isEmpty())
            .toList();
    if (paths.isEmpty()) {
      if (ungated || all || !own.isEmpty()) {
        throw new ParameterException(
            command.commandLine(), "--ungated, --own and --all need a --classpath.");
      }
      return null;
    }
    try {
      return new OfflineCheck(paths, ApplicationClassCheck.of(own), ungated, all);
    } catch (InvalidPatternException e) {
      throw new ParameterException(command.commandLine(), "--own: " + e.getMessage(), e);
    }
  }

  /** Returns the number of stores that were asked and gave no answer. */
  private int print(AgentConfig config, PrintWriter out) {
    out.println(
        config.files().main()
            + ": service "
            + config.service()
            + ", mode "
            + config.activation().mode().name().toLowerCase(Locale.ROOT)
            + (classPath.isEmpty()
                ? ", can be used. Classes were not checked: name them with --classpath, or look at"
                    + " the states of the rules when the service runs."
                : ""));
    config
        .interfaces()
        .extensions()
        .list()
        .forEach(extension -> out.println("  extension " + extension));
    int unresponsive = 0;
    for (ElectionSection election : config.elections()) {
      out.println(
          "  election "
              + election.name()
              + ": "
              + election.plan().describe()
              + ", lease "
              + election.plan().timing().lease().toMillis()
              + " ms");
      election.plan().notes().forEach(note -> out.println("    " + note));
      if (connect) {
        StoreCheckResult result = StoreCheck.ask(config.service(), election);
        result.lines().forEach(line -> out.println("    " + line));
        unresponsive += result.missing() ? 1 : 0;
      }
    }
    for (FenceSection fence : config.protection().fences()) {
      out.println(
          "  fence "
              + fence.id()
              + " of election "
              + fence.election()
              + ": "
              + fence.plan().describe());
    }
    if (classPath.isEmpty()) {
      config.protection().rules().forEach(rule -> out.println("  " + OfflineCheck.title(rule)));
    }
    config.files().warnings().forEach(warning -> out.println("  warning: " + warning));
    return unresponsive;
  }
}
