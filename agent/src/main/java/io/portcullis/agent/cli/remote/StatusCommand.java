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

/** Shows who leads, as the nodes themselves see it. */
@Command(
    name = "status",
    description = {
      "Shows nodes and who of them leads.",
      "Asks the nodes named. If none is named, the one of --config or of this machine, and the",
      "other members of its quorum at the same port."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all nodes answered",
      "1:a node did not answer, or two say that they lead",
      "2:wrong use",
      "78:the configuration can't be used"
    })
public final class StatusCommand implements Callable<Integer> {
  private static final int INCOMPLETE = 1;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Cursor home, and clear to the end of the screen. */
  private static final String AGAIN = "\033[H\033[J";

  @Mixin private final TargetOptions whom;

  @Mixin private final TlsOptions trust = new TlsOptions();

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--json", description = "Print what the nodes said as one JSON document.")
  private boolean json;

  @Option(
      names = "--watch",
      description = "Ask again every second until it is ended; one JSON document a line.")
  private boolean watch;

  /** For nodes whose configurations are read like this. */
  public StatusCommand(Function<String, AgentConfig> configs) {
    this.whom = new TargetOptions(configs);
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    NodeClient client = trust.client();
    List<NodeAddress> named = whom.nodes();
    boolean widen = !whom.areNamed();
    int code = show(named, widen, client, out, "");
    while (watch && !out.checkError()) { // Whoever read it may have gone.
      LockSupport.parkNanos(PAUSE.toNanos());
      code = show(named, widen, client, out, AGAIN);
    }
    return code;
  }

  private int show(
      List<NodeAddress> named, boolean widen, NodeClient client, PrintWriter out, String before)
      throws InterruptedException {
    ClusterStatus sight = ClusterStatus.of(named, client);
    if (widen) {
      sight.addMembers(client);
    }
    if (json) {
      out.println(sight.json());
    } else {
      out.print(before);
      out.print(
          TextTable.of(
              StatusRow.TITLES, sight.rows(Instant.now()).stream().map(StatusRow::cells).toList()));
      sight.contradiction().ifPresent(out::println);
      sight.pendingReloads().forEach(out::println);
    }
    out.flush();
    return sight.isComplete() && sight.contradiction().isEmpty() ? 0 : INCOMPLETE;
  }

  /**
   * Rows in columns. The last column is never padded, so that a narrow terminal breaks it alone.
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
