package io.portcullis.agent.cli.remote;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import io.portcullis.agent.cli.remote.NodeClient.NodeResponse;
import io.portcullis.agent.cli.remote.NodeClient.NodeUnreachableException;
import io.portcullis.agent.cli.remote.StatusCommand.TextTable;
import io.portcullis.agent.cli.remote.TargetOptions.TlsOptions;
import io.portcullis.agent.config.AdminToken;
import io.portcullis.agent.config.AgentConfig;
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

/** Tells one node to do something, and waits until its status says that it is done. */
@Command(
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:done", "1:refused, or not done in time"})
public final class OrderCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int UNAUTHORISED = 401;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  private final AdminCommand order;

  @Mixin private final TargetOptions whom;

  @Mixin private final TlsOptions trust = new TlsOptions();

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--token-file",
      paramLabel = "file",
      description = "The file with the node's admin token; otherwise that of --config.")
  private @Nullable Path tokenFile;

  private OrderCommand(AdminCommand order, Function<String, AgentConfig> configs) {
    this.order = order;
    this.whom = new TargetOptions(configs);
  }

  /** The command for this order, for nodes whose configurations are read like this. */
  public static CommandSpec of(AdminCommand order, Function<String, AgentConfig> configs) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(new OrderCommand(order, configs));
    spec.name(order.word()).usageMessage().description(order.description());
    order.options().forEach(spec::addOption);
    return spec;
  }

  @Override
  public Integer call() throws InterruptedException {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    NodeAddress node = whom.node();
    Map<String, Object> body = new LinkedHashMap<>();
    for (OptionSpec option : order.options()) {
      Object value = command.findOption(option.longestName()).getValue();
      if (value != null) {
        body.put(option.longestName().substring("--".length()), value);
      }
    }
    String text = ConfigValueFactory.fromMap(body).render(ConfigRenderOptions.concise());
    NodeClient client = trust.client();
    try {
      NodeResponse answer =
          client.order(node, order.path(), text, token(command), order.patience());
      if (!answer.isGood()) {
        err.println(node + " refuses: " + StatusRow.plain(answer.reason()) + remedy(answer));
        return FAILED;
      }
      answer.outcome().map(StatusRow::plain).ifPresent(out::println);
      out.flush();
      return order == AdminCommand.RELOAD ? 0 : await(node, body, client);
    } catch (NodeUnreachableException e) {
      err.println(node + ": " + StatusRow.plain(e.what()));
      return FAILED;
    }
  }

  /** A node speaks of headers, which nobody writes on a command line. */
  private static String remedy(NodeResponse answer) {
    return answer.status() == UNAUTHORISED
        ? " Name the file that holds it with --token-file, or the node's configuration with"
            + " --config."
        : "";
  }

  private int await(NodeAddress node, Map<String, Object> body, NodeClient client)
      throws InterruptedException {
    CommandLine command = Objects.requireNonNull(spec).commandLine();
    Object seconds = body.getOrDefault("seconds", 0);
    Duration most = order.patience().plusSeconds((Integer) seconds);
    long end = System.nanoTime() + most.toNanos();
    Object election = body.get("election");
    Predicate<StatusRow> meant = row -> election == null || row.election().equals(election);
    while (true) {
      ClusterStatus sight = ClusterStatus.of(List.of(node), client);
      List<StatusRow> rows = sight.rows(Instant.now()).stream().filter(meant).toList();
      boolean done = sight.isComplete() && rows.stream().allMatch(row -> order.isDone(row.role()));
      if (done || System.nanoTime() - end > 0) {
        command
            .getOut()
            .print(TextTable.of(StatusRow.TITLES, rows.stream().map(StatusRow::cells).toList()));
        command.getOut().flush();
        if (!done) {
          command.getErr().println("The order was taken, but is not done yet; see status.");
        }
        return done ? 0 : FAILED;
      }
      LockSupport.parkNanos(LOOK_AGAIN.toNanos()); // The other end tells nobody when it is done.
    }
  }

  private Optional<String> token(CommandSpec command) {
    Path file = tokenFile;
    if (file == null) {
      return whom.config().flatMap(config -> config.http().adminToken()).flatMap(AdminToken::shown);
    }
    try {
      return Optional.of(Files.readString(file, StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      throw new ParameterException(
          command.commandLine(), "--token-file: " + file + " can't be read: " + e.getMessage(), e);
    }
  }
}
