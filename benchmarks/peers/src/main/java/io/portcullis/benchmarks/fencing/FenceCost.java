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

  private FenceCost() {}

  /** {@code --quick} for rough figures. */
  public static void main(String[] args) throws IOException {
    boolean quick = Arrays.asList(args).contains("--quick");
    Path folder = Files.createTempDirectory("portcullis-fencing-");
    try (PostgresServer postgres = PostgresServer.startLocal()) {
      prepare(postgres);
      try (Clerk plain = Clerk.start(postgres, folder, "plain", false);
          Clerk fenced = Clerk.start(postgres, folder, "fenced", true)) {
        boolean reached = measure(plain, fenced, quick ? QUICK_ROUNDS : ROUNDS);
        System.exit(reached ? 0 : 1);
      }
    }
  }

  private static void prepare(PostgresServer postgres) {
    postgres.execute("create table accounts (id int primary key, balance bigint not null)");
    postgres.execute(
        "insert into accounts select id, 0 from generate_series(0, " + Counter.ACCOUNTS + ") id");
    postgres.execute(
        "create table transfers (seq bigint generated always as identity primary key, source int,"
            + " target int, amount bigint, writer text)");
  }

  private static boolean measure(Clerk plain, Clerk fenced, int rounds) throws IOException {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    for (String kind : List.of("write", "read")) {
      plain.rate(kind, WARM_UP);
      fenced.rate(kind, WARM_UP);
    }
    System.out.printf(
        Locale.ROOT,
        "JDK %s, %d alternating rounds of %d s each, load %.1f at the start%n%n",
        Runtime.version(),
        rounds,
        TURN.toSeconds(),
        load);
    System.out.println("| | without, a second | with, a second | ratio | target | reached |");
    System.out.println("|---|---|---|---|---|---|");
    boolean writes =
        row("write", "transactions of two statements", WRITES_TARGET, plain, fenced, rounds);
    boolean reads = row("read", "reads", READS_TARGET, plain, fenced, rounds);
    return writes && reads;
  }

  /** The ratio is the median of each round's own, so that what both suffer drops out. */
  private static boolean row(
      String kind, String what, double target, Clerk plain, Clerk fenced, int rounds)
      throws IOException {
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      boolean plainFirst = i % 2 == 0;
      double first = (plainFirst ? plain : fenced).rate(kind, TURN);
      double second = (plainFirst ? fenced : plain).rate(kind, TURN);
      without.add(plainFirst ? first : second);
      with.add(plainFirst ? second : first);
      ratios.add(plainFirst ? second / first : first / second);
    }
    double ratio = median(ratios);
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.3f | >= %.2f | %s |%n",
        what,
        median(without),
        median(with),
        ratio,
        target,
        ratio >= target ? "yes" : "NO");
    return ratio >= target;
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
