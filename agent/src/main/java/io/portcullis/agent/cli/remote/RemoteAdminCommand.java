package io.portcullis.agent.cli.remote;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import io.portcullis.agent.cli.remote.NodeClient.NodeResponse;
import io.portcullis.agent.cli.remote.NodeClient.NodeUnreachableException;
import io.portcullis.agent.cli.remote.StatusCommand.TextTable;
import io.portcullis.agent.cli.remote.TargetOptions.TlsOptions;
import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.secret.AdminToken;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Sends an admin command to one node and waits until the node's status shows its effect. */
@Command(
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:done",
      "1:refused, or not done in time; with --wait, also if no other node leads in time"
    })
public final class RemoteAdminCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int UNAUTHORIZED = 401;
  private static final String WAIT = "--wait";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  private final AdminCommand adminCommand;

  @Mixin private final TargetOptions targets;

  @Mixin private final TlsOptions tls = new TlsOptions();

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--token-file",
      paramLabel = "file",
      description = "The file with the node's admin token; otherwise that of --config.")
  private @Nullable Path tokenFile;

  private RemoteAdminCommand(AdminCommand adminCommand, Function<String, AgentConfig> configs) {
    this.adminCommand = adminCommand;
    this.targets = new TargetOptions(configs);
  }

  /** Creates the command line of an admin command; {@code configs} reads configurations. */
  public static CommandSpec of(AdminCommand adminCommand, Function<String, AgentConfig> configs) {
    CommandSpec spec =
        CommandSpec.forAnnotatedObject(new RemoteAdminCommand(adminCommand, configs));
    spec.name(adminCommand.word()).usageMessage().description(adminCommand.description());
    adminCommand.options().forEach(spec::addOption);
    if (adminCommand.handsOver()) {
      spec.addOption(
          OptionSpec.builder(WAIT)
              .type(boolean.class)
              .description("Also wait until another node leads; exit code 1 if none does in time.")
              .build());
    }
    return spec;
  }

  @Override
  public Integer call() throws InterruptedException {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    NodeAddress node = targets.node();
    Map<String, Object> body = new LinkedHashMap<>();
    for (OptionSpec option : adminCommand.options()) {
      Object value = command.findOption(option.longestName()).getValue();
      if (value != null) {
        body.put(option.longestName().substring("--".length()), value);
      }
    }
    String text = ConfigValueFactory.fromMap(body).render(ConfigRenderOptions.concise());
    NodeClient client = tls.client();
    try {
      NodeResponse response =
          client.execute(node, adminCommand.path(), text, token(command), adminCommand.timeout());
      if (!response.isSuccess()) {
        err.println(node + " refuses: " + StatusRow.plain(response.reason()) + remedy(response));
        return FAILED;
      }
      response.outcome().map(StatusRow::plain).ifPresent(out::println);
      out.flush();
      return adminCommand == AdminCommand.RELOAD ? 0 : await(node, body, client);
    } catch (NodeUnreachableException e) {
      err.println(node + ": " + StatusRow.plain(e.why()));
      return FAILED;
    }
  }

  /** The node's message names an HTTP header; this adds the matching command line options. */
  private static String remedy(NodeResponse response) {
    return response.status() == UNAUTHORIZED
        ? " Name the file that contains it with --token-file, or the node's configuration with"
            + " --config."
        : "";
  }

  private int await(NodeAddress node, Map<String, Object> body, NodeClient client)
      throws InterruptedException {
    CommandLine command = Objects.requireNonNull(spec).commandLine();
    Object seconds = body.getOrDefault("seconds", 0);
    Duration timeout = adminCommand.timeout().plusSeconds((Integer) seconds);
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    OptionSpec waitOption = Objects.requireNonNull(spec).findOption(WAIT);
    boolean wait = waitOption != null && Boolean.TRUE.equals(waitOption.getValue());
    Object election = body.get("election");
    Predicate<StatusRow> matches = row -> election == null || row.election().equals(election);
    while (true) {
      ClusterStatus status = ClusterStatus.of(List.of(node), client);
      List<StatusRow> rows = status.rows(Instant.now()).stream().filter(matches).toList();
      boolean done =
          status.isComplete() && rows.stream().allMatch(row -> adminCommand.isDone(row.role()));
      Map<String, String> leaders = status.otherLeaders();
      boolean handedOver =
          !wait || rows.stream().allMatch(row -> leaders.containsKey(row.election()));
      if ((done && handedOver) || System.nanoTime() - deadlineNanos > 0) {
        command
            .getOut()
            .print(TextTable.of(StatusRow.TITLES, rows.stream().map(StatusRow::cells).toList()));
        if (done && adminCommand.handsOver()) {
          rows.forEach(row -> command.getOut().println(leaderNow(row, leaders)));
        }
        command.getOut().flush();
        if (!done) {
          command
              .getErr()
              .println(
                  "The node accepted the command, but it is not done yet; run status to follow"
                      + " it.");
        }
        return done && handedOver ? 0 : FAILED;
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos()); // Nodes send no notification on completion.
    }
  }

  private static String leaderNow(StatusRow row, Map<String, String> leaders) {
    String leader = leaders.get(row.election());
    return leader == null
        ? "No other node is known to lead election " + row.election() + " yet."
        : "Election " + row.election() + " is led by " + leader + " now.";
  }

  private Optional<String> token(CommandSpec command) {
    Path file = tokenFile;
    if (file == null) {
      return targets
          .config()
          .flatMap(config -> config.interfaces().http().adminToken())
          .flatMap(AdminToken::value);
    }
    try {
      return Optional.of(Files.readString(file, StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      throw new ParameterException(
          command.commandLine(), "--token-file: " + file + " can't be read: " + e.getMessage(), e);
    }
  }
}
