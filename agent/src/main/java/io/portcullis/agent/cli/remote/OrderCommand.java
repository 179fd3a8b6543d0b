package io.portcullis.agent.cli.remote;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tells one node to do something, and waits until its status says that it is done. */
abstract class OrderCommand implements Callable<Integer> {
  static final int FAILED = 1;
  static final String EXIT_DONE = "0:done";
  static final String EXIT_FAILED = "1:refused, or not done in time";
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  @Mixin private final Whom whom;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--election",
      paramLabel = "name",
      description = "Which election; may be left out if the node has only one.")
  private @Nullable String election;

  @Option(
      names = "--token-file",
      paramLabel = "file",
      description = "The file with the node's admin token; otherwise that of --config.")
  private @Nullable Path tokenFile;

  private final NodeClient client = new NodeClient();

  OrderCommand(Function<String, AgentConfig> configs) {
    this.whom = new Whom(configs);
  }

  /** The path that takes this order. */
  abstract String path();

  /** What is said besides the election. */
  abstract Map<String, Object> more();

  /** Whether a node with this role has done as it was told. */
  abstract boolean isDone(String role);

  /** How long that may take. */
  abstract Duration patience();

  @Override
  public Integer call() throws InterruptedException {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter err = command.commandLine().getErr();
    NodeAddress node = whom.node();
    Map<String, Object> body = new LinkedHashMap<>(more());
    if (election != null) {
      body.put("election", election);
    }
    String text = ConfigValueFactory.fromMap(body).render(ConfigRenderOptions.concise());
    try {
      Answer answer = client.order(node, path(), text, token(command));
      if (!answer.isGood()) {
        err.println(node + " refuses: " + Row.plain(answer.reason()));
        return FAILED;
      }
      return await(node, command.commandLine().getOut(), err);
    } catch (NoAnswer e) {
      err.println(node + ": " + Row.plain(e.what()));
      return FAILED;
    }
  }

  private int await(NodeAddress node, PrintWriter out, PrintWriter err)
      throws InterruptedException, NoAnswer {
    long end = System.nanoTime() + patience().toNanos();
    Predicate<Row> meant = row -> election == null || row.election().equals(election);
    while (true) {
      Sight sight = Sight.of(List.of(node), client);
      List<Row> rows = sight.rows(Instant.now()).stream().filter(meant).toList();
      boolean done = sight.isComplete() && rows.stream().allMatch(row -> isDone(row.role()));
      if (done || System.nanoTime() - end > 0) {
        out.print(Table.of(Row.TITLES, rows.stream().map(Row::cells).toList()));
        out.flush();
        if (!done) {
          err.println("The order was taken, but is not done yet; see status.");
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
