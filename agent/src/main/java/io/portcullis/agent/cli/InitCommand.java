package io.portcullis.agent.cli;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.BackendRegistry;
import io.portcullis.agent.config.hocon.ConfigSource.MissingSecrets;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.agent.runtime.RuleFactory;
import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPath.ApplicationClassCheck;
import io.portcullis.rules.check.classpath.ClassPath.ReadProblem;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.propose.OwnPackages;
import io.portcullis.rules.check.propose.Proposal;
import io.portcullis.rules.check.propose.Proposal.RuleSetProposal;
import io.portcullis.rules.check.propose.ProposalAnalysis;
import io.portcullis.rules.match.MatchPattern.InvalidPatternException;
import io.portcullis.rules.plan.Rule;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes a first configuration for an application, with rules for what its classes do. */
@Command(
    name = "init",
    description = {
      "Writes a first agent.conf for an application.", // Shown in the list of commands.
      "Reads the application's class files, loads none, and proposes rules for its request"
          + " handlers, listeners, scheduled jobs and writes, each with a comment that says why."
          + " The file starts in observe mode, is checked like check --classpath, and never"
          + " replaces one that exists. On a terminal it asks for what the options do not name."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:the file was written and passes the check",
      "1:the file exists already, or cannot be written; nothing was changed",
      "2:an option is wrong, or no class is the application's own",
      "78:a path can't be read, or the configuration does not pass the check; nothing was written"
    })
final class InitCommand implements Callable<Integer> {
  private static final int NOT_WRITTEN = 1;
  private static final int MAX_PACKAGES_SHOWN = 8;

  /** From this number of rules on, libraries are probably among the application's own classes. */
  private static final int MIN_RULES_WITH_HINT = 20;

  private static final String STDOUT = "-";

  /** Rules are checked as they will be enforced, though the file only observes at first. */
  private static final Map<String, String> ENFORCED = Map.of("portcullis.mode", "enforce");

  private final BackendRegistry backends;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = {"--classpath", "--class-path", "-cp"},
      paramLabel = "path",
      description = {
        "The application: jars, wars, ears, or folders with them at any depth, such as a Spring",
        "Boot jar, quarkus-app, or the folder of a server; separated as in java -cp."
      })
  private List<String> classPath = new ArrayList<>();

  @Option(
      names = "--own",
      paramLabel = "pattern",
      description = {
        "Which classes are the application's own, such as 'com.acme.**'; may be given several",
        "times. Default: class folders, wars, deployed jars, and the first path."
      })
  private List<String> own = new ArrayList<>();

  @Option(
      names = "--service",
      paramLabel = "name",
      description = "The name of the service. Default: from the first path.")
  private @Nullable String service;

  @Mixin private BackendOptions backend = new BackendOptions();

  @Option(
      names = "--out",
      paramLabel = "file",
      defaultValue = "agent.conf",
      description = "The file to write, - for standard output. Default: ${DEFAULT-VALUE}")
  private String out = "agent.conf";

  @Option(
      names = {"--batch", "--yes", "-y"},
      description = "Ask nothing, also on a terminal: use the defaults.")
  private boolean batch;

  InitCommand(BackendRegistry backends) {
    this.backends = backends;
  }

  @Override
  public Integer call() throws IOException {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter err = command.commandLine().getErr();
    PrintWriter report = out.equals(STDOUT) ? err : command.commandLine().getOut();
    if (!out.equals(STDOUT) && Files.exists(path(out))) {
      return exists(err);
    }
    if (!batch) {
      InitDialog.onTerminal().ifPresent(this::ask);
    }
    List<String> paths = paths();
    Draft draft = new Draft(out.equals(STDOUT) ? null : path(out));
    try {
      return write(paths, draft, report, err);
    } catch (InvalidConfigException e) {
      return refuse(e.problems(), draft, err);
    } catch (FileAlreadyExistsException e) {
      return exists(err);
    } finally {
      Files.deleteIfExists(draft.file());
    }
  }

  private int exists(PrintWriter err) {
    err.println(out + " exists already and was not changed. Name another file with --out.");
    return NOT_WRITTEN;
  }

  private void ask(InitDialog dialog) {
    if (classPath.isEmpty()) {
      classPath.add(dialog.ask("The application's jar or folder", ""));
    }
    if (service == null) {
      service = dialog.ask("Name of the service", ServiceName.of(paths().get(0)));
    }
    backend.ask(dialog);
  }

  private List<String> paths() {
    List<String> paths =
        classPath.stream()
            .flatMap(path -> Stream.of(path.split(File.pathSeparator, -1)))
            .filter(path -> !path.isEmpty())
            .toList();
    if (paths.isEmpty()) {
      throw usage("Name the application with --classpath.");
    }
    if (!backend.isKnown()) {
      throw usage("--backend: one of " + String.join(", ", BackendOptions.NAMES));
    }
    return paths;
  }

  private ParameterException usage(String text) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), text);
  }

  private int write(List<String> paths, Draft draft, PrintWriter report, PrintWriter err)
      throws IOException {
    String name = service == null ? ServiceName.of(paths.get(0)) : service;
    Map<String, List<Rule>> sets = ruleSets(name, draft);
    ApplicationClassCheck ownership = ownership();
    ClassPath classes = ClassPath.read(paths, ownership, Runtime.version().feature());
    List<ReadProblem> unreadable = classes.flaws().stream().filter(ReadProblem::fatal).toList();
    if (!unreadable.isEmpty()) {
      return ConfigArgument.refuse(unreadable, err);
    }
    Optional<String> ofMainClass =
        own.isEmpty() ? OwnPackages.ofMainClass(classes) : Optional.empty();
    if (ofMainClass.isPresent()) { // A shaded jar: read again without its libraries.
      own = List.of(ofMainClass.get());
      ownership = ownership();
      classes = ClassPath.read(paths, ownership, Runtime.version().feature());
    }
    long ownClasses = classes.classes().stream().filter(OfflineClass::own).count();
    if (ownClasses == 0) {
      throw usage("no class is the application's own. " + packages(classes));
    }
    Proposal proposal = ProposalAnalysis.of(classes, sets);
    String text = AgentConfWriter.of(name, backend.lines(), proposal);
    draft.write(text);
    AgentConfig enforced =
        ConfigArgument.load(draft.name(), backends, "this-host", ENFORCED, MissingSecrets.REFUSE);
    StringWriter checked = new StringWriter();
    OfflineCheck.Outcome outcome =
        new OfflineCheck(paths, ownership, true, false)
            .run(enforced, classes, new PrintWriter(checked));
    if (!outcome.problems().isEmpty()) {
      err.print(checked);
      return refuse(outcome.problems(), draft, err);
    }
    if (out.equals(STDOUT)) {
      Objects.requireNonNull(spec).commandLine().getOut().print(text);
      Objects.requireNonNull(spec).commandLine().getOut().flush();
    } else {
      Files.writeString(path(out), text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }
    summary(proposal, classes, ownClasses, report);
    nextCommands(paths, report);
    return 0;
  }

  /** Also reads the settings of the backend, so that a mistake there is reported at once. */
  private Map<String, List<Rule>> ruleSets(String name, Draft draft) throws IOException {
    Map<String, List<Rule>> sets = new LinkedHashMap<>();
    for (String set : ProposalAnalysis.RULE_SETS) {
      draft.write(AgentConfWriter.withRuleSets(name, backend.lines(), List.of(set)));
      AgentConfig config =
          ConfigArgument.load(draft.name(), backends, "this-host", ENFORCED, MissingSecrets.REFUSE);
      sets.put(set, RuleFactory.rules(config));
    }
    return sets;
  }

  private ApplicationClassCheck ownership() {
    try {
      return ApplicationClassCheck.of(own);
    } catch (InvalidPatternException e) {
      throw usage("--own: " + e.getMessage());
    }
  }

  private static String packages(ClassPath classes) {
    return "Name them with --own 'com.acme.**'; the largest packages: "
        + String.join(", ", OwnPackages.largest(classes, MAX_PACKAGES_SHOWN));
  }

  private static int refuse(List<?> problems, Draft draft, PrintWriter err) {
    return ConfigArgument.refuse(
        problems.stream().map(problem -> draft.renamed(problem.toString())).toList(), err);
  }

  private void summary(Proposal proposal, ClassPath classes, long ownClasses, PrintWriter report) {
    String sets =
        proposal.ruleSets().stream()
            .filter(RuleSetProposal::active)
            .map(RuleSetProposal::name)
            .collect(Collectors.joining(", "));
    report.printf(
        "%s: rule sets: %s; rules: %d; mode observe%n",
        out.equals(STDOUT) ? "agent.conf" : out,
        sets.isEmpty() ? "none" : sets,
        proposal.rules().size());
    report.printf(
        "  read %d classes, the application's own%s: %d; calls of write APIs that stay ungated:"
            + " %d%n",
        classes.classes().size(),
        own.isEmpty() ? "" : " (" + String.join(", ", own) + ")",
        ownClasses,
        proposal.missed().size());
    proposal.warnings().forEach(warning -> report.println("  warning: " + warning));
    if (!proposal.hasRules()) {
      report.println(
          "  Nothing was found that writes. If the application's classes are in other packages: "
              + packages(classes));
    }
    if (proposal.rules().size() >= MIN_RULES_WITH_HINT) {
      report.println(
          "  That is many rules. If libraries are among the application's own classes: "
              + packages(classes));
    }
    report.println("  It passes check --classpath, also with mode = enforce.");
  }

  private void nextCommands(List<String> paths, PrintWriter report) {
    String file = out.equals(STDOUT) ? "agent.conf" : out;
    String jar = "portcullis-agent.jar";
    String where = String.join(File.pathSeparator, paths);
    String owned = own.stream().map(each -> " --own '" + each + "'").collect(Collectors.joining());
    report.println("Next, read the comments in " + file + ", then:");
    report.printf(
        "  java -jar %s check %s --classpath '%s'%s --ungated%n", jar, file, where, owned);
    report.printf(
        "  java -javaagent:%s=%s …       # start each node of the service with it%n", jar, file);
    report.printf("  java -jar %s status localhost:9470%n", jar);
  }

  private Path path(String file) {
    try {
      return Path.of(file);
    } catch (InvalidPathException e) {
      throw usage("--out: " + e.getMessage());
    }
  }

  /**
   * A file for the configuration until it has passed the check, in the folder of the result,
   * because names of files in it are relative to that folder.
   */
  private static final class Draft {
    private final Path file;
    private final Path result;

    /** Creates a draft; the result is null for standard output. */
    Draft(@Nullable Path result) throws IOException {
      this.result = result == null ? Path.of("agent.conf") : result;
      Path folder = this.result.toAbsolutePath().getParent();
      this.file =
          result == null && !Files.isWritable(folder)
              ? Files.createTempFile("agent", ".conf")
              : Files.createTempFile(folder, ".agent", ".conf");
    }

    Path file() {
      return file;
    }

    String name() {
      return file.toString();
    }

    void write(String text) throws IOException {
      Files.writeString(file, text);
    }

    /** Replaces the draft's name in a message with the name of the result. */
    String renamed(String message) {
      return message
          .replace(name(), result.toString())
          .replace(file.getFileName().toString(), result.getFileName().toString());
    }
  }

  /** Derives a service's name from the name of its jar or folder. */
  static final class ServiceName {
    private static final String DEFAULT = "service";

    private ServiceName() {}

    static String of(String path) {
      Path each = Path.of(path.replaceFirst("[/\\\\]?\\*$", "")).toAbsolutePath().normalize();
      for (Optional<Path> at = Optional.of(each); at.isPresent(); at = at.map(Path::getParent)) {
        Path fileName = at.get().getFileName();
        String name = fileName == null ? DEFAULT : simple(fileName.toString());
        if (!name.matches("|classes|target|build|libs?|app|quarkus-app|main|java")) {
          return name;
        }
      }
      return DEFAULT;
    }

    /** Without suffix and version, with the characters of an id. */
    private static String simple(String fileName) {
      return fileName
          .replaceFirst("\\.(jar|war|ear)$", "")
          .replaceFirst("[-_]v?\\d+(\\.\\d+)*([.-](SNAPSHOT|RELEASE|Final|GA|M\\d+|RC\\d+))?$", "")
          .replaceAll("[^A-Za-z0-9._-]+", "-");
    }
  }
}
