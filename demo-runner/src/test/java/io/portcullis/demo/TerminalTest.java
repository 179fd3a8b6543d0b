package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private static final List<NodeStatusRow> ROWS =
      List.of(
          new NodeStatusRow("a", "LEADER", "1763265502", 12_345, 0, 0),
          new NodeStatusRow("b", "STANDBY", "1763265502", 12_345, 12_345, 12_345),
          new NodeStatusRow("c", "INELIGIBLE", "-", 0, 12_345, 12_345));

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void interactiveTerminalRedrawsTheBlockInPlace() {
    Terminal terminal = new Terminal(out, true, false);

    terminal.show(1, List.of("one", "two"), "plain");
    terminal.show(2, List.of("three", "four"), "plain");
    terminal.print("stays");

    assertThat(seen())
        .isEqualTo("one\ntwo\n\u001b[2A\u001b[Jthree\nfour\n\u001b[2A\u001b[Jstays\n");
  }

  @Test
  void otherOutputGetsAnOccasionalPlainLine() {
    Terminal terminal = new Terminal(out, false, false);

    for (int second = 0; second <= 10; second++) {
      terminal.show(second, List.of("one", "two"), "plain " + second);
    }
    terminal.print("stays");

    assertThat(seen()).isEqualTo("plain 0\nplain 5\nplain 10\nstays\n");
  }

  @Test
  void coloursAreUsedOnlyIfEnabled() {
    assertThat(new Terminal(out, true, true).green("x")).isEqualTo("\u001b[32mx\u001b[0m");
    assertThat(new Terminal(out, true, false).green("x")).isEqualTo("x");
  }

  @Test
  void closedTerminalPrintsNothing() {
    Terminal terminal = new Terminal(out, true, false);

    terminal.show(1, List.of("one"), "plain");
    terminal.close();
    terminal.print("late");
    terminal.show(2, List.of("late"), "late");

    assertThat(seen()).isEqualTo("one\n\u001b[1A\u001b[J");
  }

  @Test
  void statusFitsIntoTheTerminalWidth() {
    Terminal terminal = new Terminal(out, true, false);

    assertThat(NodeStatusRow.table(ROWS, terminal))
        .hasSize(5)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Terminal.WIDTH));
    assertThat(NodeStatusRow.line(99, ROWS.stream().map(TerminalTest::usual).toList()))
        .hasSizeLessThanOrEqualTo(Terminal.WIDTH);
  }

  @Test
  void reportListsViolations() {
    ConsistencyVerdict red =
        new ConsistencyVerdict(
            List.of(
                new Finding("This holds", "5 things", List.of()),
                new Finding("This does not", "", List.of("1", "2", "3", "4", "5", "6", "7"))));

    assertThat(VerdictFormatter.of(red, new Terminal(out, true, false)))
        .containsExactly(
            "  ok  This holds: 5 things",
            "  NO  This does not",
            "        1",
            "        2",
            "        3",
            "        4",
            "        5",
            "        and 2 more",
            "",
            "A guarantee was violated.");
  }

  /** In one run a node accepts a few hundred writes. */
  private static NodeStatusRow usual(NodeStatusRow row) {
    return new NodeStatusRow(row.node(), "STANDBY", row.epoch(), 999, 999, 999);
  }

  private String seen() {
    return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }
}
