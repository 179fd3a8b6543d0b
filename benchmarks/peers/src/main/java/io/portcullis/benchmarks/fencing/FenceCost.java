package io.portcullis.benchmarks.fencing;

import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures what a fence costs and prints a table; started by {@code benchmarks/fencing}. Exit code
 * 0 if every target was reached.
 */
public final class FenceCost {
  private static final int ROUNDS = 15;
  private static final int QUICK_ROUNDS = 3;
  private static final Duration TURN = Duration.ofSeconds(2);
  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final double WRITES_TARGET = 0.9;
  private static final double READS_TARGET = 0.99;
  private static final double NO_TARGET = 0;

  private FenceCost() {}

  /** {@code --quick} for rough figures. */
  public static void main(String[] args) throws IOException {
    boolean quick = Arrays.asList(args).contains("--quick");
    Path folder = Files.createTempDirectory("portcullis-fencing-");
    try (PostgresServer postgres = PostgresServer.startLocal()) {
      prepare(postgres);
      int rounds = quick ? QUICK_ROUNDS : ROUNDS;
      head(rounds);
      boolean clerks = measureClerks(postgres, folder, rounds);
      boolean desks = measureDesks(postgres, folder, rounds);
      System.exit(clerks && desks ? 0 : 1);
    }
  }

  private static void prepare(PostgresServer postgres) {
    postgres.execute("create table accounts (id int primary key, balance bigint not null)");
    postgres.execute(
        "insert into accounts select id, 0 from generate_series(0, " + Counter.ACCOUNTS + ") id");
    postgres.execute(
        "create table bookings (seq bigint generated always as identity primary key, source int,"
            + " target int, amount bigint, writer text)");
  }

  private static void head(int rounds) {
    System.out.printf(
        Locale.ROOT,
        "JDK %s, %d alternating rounds of %d s each, load %.1f at the start%n%n",
        Runtime.version(),
        rounds,
        TURN.toSeconds(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    System.out.println("| | without, a second | with, a second | ratio | target | reached |");
    System.out.println("|---|---|---|---|---|---|");
  }

  private static boolean measureClerks(PostgresServer postgres, Path folder, int rounds)
      throws IOException {
    try (Clerk plain = Clerk.start(postgres, folder, "plain", false);
        Clerk fenced = Clerk.start(postgres, folder, "fenced", true)) {
      boolean reached =
          row(
              "transactions of two statements",
              WRITES_TARGET,
              plain::writes,
              fenced::writes,
              rounds);
      row("reads, without a service around them", NO_TARGET, plain::reads, fenced::reads, rounds);
      return reached;
    }
  }

  private static boolean measureDesks(PostgresServer postgres, Path folder, int rounds)
      throws IOException {
    try (Desk plain = Desk.start(postgres, folder, "plain-desk", false);
        Desk fenced = Desk.start(postgres, folder, "fenced-desk", true)) {
      Desk.fill(postgres);
      return row("reads by the demo service", READS_TARGET, plain::reads, fenced::reads, rounds);
    }
  }

  /** How often something is done in a second. */
  private interface Rate {
    double during(Duration turn) throws IOException;
  }

  /** The ratio is the median of each round's own, so that what both suffer drops out. */
  private static boolean row(String what, double target, Rate plain, Rate fenced, int rounds)
      throws IOException {
    plain.during(WARM_UP);
    fenced.during(WARM_UP);
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      boolean plainFirst = i % 2 == 0;
      double first = (plainFirst ? plain : fenced).during(TURN);
      double second = (plainFirst ? fenced : plain).during(TURN);
      without.add(plainFirst ? first : second);
      with.add(plainFirst ? second : first);
      ratios.add(plainFirst ? second / first : first / second);
    }
    double ratio = median(ratios);
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.3f | %s | %s |%n",
        what,
        median(without),
        median(with),
        ratio,
        target == NO_TARGET ? "" : String.format(Locale.ROOT, ">= %.2f", target),
        target == NO_TARGET ? "" : ratio >= target ? "yes" : "NO");
    return ratio >= target;
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
