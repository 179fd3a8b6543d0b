package io.portcullis.agent.cli.remote;

import io.portcullis.agent.cli.remote.TargetOptions.TlsOptions;
import io.portcullis.agent.config.AgentConfig;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints which nodes lead and which rules refuse nothing, as the nodes themselves report it. */
@Command(
    name = "status",
    description = {
      "Shows nodes, which of them lead, and which rules are not armed or only observe.",
      "Queries the given nodes. Without an address, queries the node of --config or of this",
      "machine, and the other members of its quorum at the same port."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all nodes responded",
      "1:a node did not respond, or two report that they lead",
      "2:invalid arguments",
      "3:nobody leads one of the elections",
      "78:the configuration is invalid"
    })
public final class StatusCommand implements Callable<Integer> {
  private static final int INCOMPLETE = 1;
  private static final int LEADERLESS = 3;
  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(1);

  /** Moves the cursor home and clears the screen. */
  private static final String CLEAR_SCREEN = "\033[H\033[J";

  @Mixin private final TargetOptions targets;

  @Mixin private final TlsOptions tls = new TlsOptions();

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--json", description = "Print the responses as one JSON document.")
  private boolean json;

  @Option(
      names = "--watch",
      description = "Repeat every second until interrupted; with --json, one document per line.")
  private boolean watch;

  /** Creates the command; {@code configs} reads configurations. */
  public StatusCommand(Function<String, AgentConfig> configs) {
    this.targets = new TargetOptions(configs);
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    NodeClient client = tls.client();
    List<NodeAddress> nodes = targets.nodes();
    boolean addMembers = !targets.hasAddresses();
    int code = show(nodes, addMembers, client, out, "");
    while (watch && !out.checkError()) { // Ends when the reader closes the pipe.
      LockSupport.parkNanos(WATCH_INTERVAL.toNanos());
      code = show(nodes, addMembers, client, out, CLEAR_SCREEN);
    }
    return code;
  }

  private int show(
      List<NodeAddress> nodes,
      boolean addMembers,
      NodeClient client,
      PrintWriter out,
      String before)
      throws InterruptedException {
    ClusterStatus status = ClusterStatus.of(nodes, client);
    if (addMembers) {
      status.addMembers(client);
    }
    List<String> leaderless = status.leaderless();
    if (json) {
      out.println(status.json());
    } else {
      out.print(before);
      out.print(
          TextTable.of(
              StatusRow.TITLES,
              status.rows(Instant.now()).stream().map(StatusRow::cells).toList()));
      status.contradiction().ifPresent(out::println);
      leaderless.forEach(election -> out.println("Nobody leads election " + election + "."));
      status.rulesThatRefuseNothing().forEach(out::println);
      status.pendingReloads().forEach(out::println);
    }
    out.flush();
    if (!leaderless.isEmpty()) {
      return LEADERLESS;
    }
    return status.isComplete() && status.contradiction().isEmpty() ? 0 : INCOMPLETE;
  }

  /**
   * Formats rows as columns. The last column is not padded, so that a narrow terminal wraps only
   * that column.
   */
  static final class TextTable {
    private TextTable() {}

    static String of(List<String> titles, List<List<String>> rows) {
      List<List<String>> all = new ArrayList<>();
      all.add(titles);
      all.addAll(rows);
      StringBuilder text = new StringBuilder();
      for (List<String> row : all) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
          line.append(row.get(column));
          if (column < row.size() - 1) {
            line.append(" ".repeat(width(all, column) - row.get(column).length() + 2));
          }
        }
        text.append(line.toString().stripTrailing()).append(System.lineSeparator());
      }
      return text.toString();
    }

    private static int width(List<List<String>> rows, int column) {
      return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
  }
}
