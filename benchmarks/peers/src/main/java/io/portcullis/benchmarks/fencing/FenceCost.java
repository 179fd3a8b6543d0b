package io.portcullis.benchmarks.fencing;

import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * Measures the cost of a fence and prints a table; started by {@code benchmarks/fencing}. Exit code
 * 0 if every target was reached.
 */
public final class FenceCost {
  private static final double WRITES_TARGET = 0.9;
  private static final double READS_TARGET = 0.99;

  private final PostgresServer postgres;
  private final Path folder;
  private final int pairs;

  private FenceCost(PostgresServer postgres, Path folder, boolean quick) {
    this.postgres = postgres;
    this.folder = folder;
    this.pairs = quick ? 1 : 9;
  }

  /** Arguments: {@code --quick} for rough results. */
  public static void main(String[] args) throws IOException {
    boolean quick = Arrays.asList(args).contains("--quick");
    Path folder = Files.createTempDirectory("portcullis-fencing-");
    try (PostgresServer postgres = PostgresServer.startLocal()) {
      prepare(postgres);
      FenceCost cost = new FenceCost(postgres, folder, quick);
      cost.head();
      boolean clerks = cost.measureClerks();
      boolean desks = cost.measureDesks();
      System.exit(clerks && desks ? 0 : 1);
    }
  }

  private static void prepare(PostgresServer postgres) {
    postgres.execute("create table accounts (id int primary key, balance bigint not null)");
    postgres.execute(
        "insert into accounts select id, 0 from generate_series(0, "
            + TransferService.ACCOUNTS
            + ") id");
    postgres.execute(
        "create table bookings (seq bigint generated always as identity primary key, source int,"
            + " target int, amount bigint, writer text)");
  }

  private void head() {
    System.out.printf(
        Locale.ROOT,
        "JDK %s, %d pairs of JVMs, %d alternating rounds of %d s each, load %.1f at the start%n%n",
        Runtime.version(),
        pairs,
        FenceComparison.ROUNDS,
        FenceComparison.TURN.toSeconds(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    System.out.println(FenceComparison.HEAD);
  }

  private boolean measureClerks() throws IOException {
    FenceComparison writes = new FenceComparison("transactions of two statements", WRITES_TARGET);
    FenceComparison reads =
        new FenceComparison("reads, without a service around them", FenceComparison.NO_TARGET);
    for (int i = 0; i < pairs; i++) {
      try (TransferServiceJvm plain =
              TransferServiceJvm.start(postgres, folder, "plain-" + i, false);
          TransferServiceJvm fenced =
              TransferServiceJvm.start(postgres, folder, "fenced-" + i, true)) {
        writes.compare(plain::writes, fenced::writes);
        reads.compare(plain::reads, fenced::reads);
      }
    }
    System.out.println(writes.row());
    System.out.println(reads.row());
    return writes.isReached();
  }

  private boolean measureDesks() throws IOException {
    FenceComparison reads = new FenceComparison("reads by the demo service", READS_TARGET);
    for (int i = 0; i < pairs; i++) {
      try (DemoServiceJvm plain = DemoServiceJvm.start(postgres, folder, "plain-desk-" + i, false);
          DemoServiceJvm fenced =
              DemoServiceJvm.start(postgres, folder, "fenced-desk-" + i, true)) {
        if (i == 0) {
          DemoServiceJvm.fill(postgres);
        }
        reads.compare(plain::reads, fenced::reads);
      }
    }
    System.out.println(reads.row());
    return reads.isReached();
  }
}
