package io.portcullis.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Runs the demo; started by {@code ./demo} in the root of the repository. */
public final class DemoMain {
  private static final int HOLDS = 0;
  private static final int BROKEN = 1;
  private static final int CANNOT_RUN = 2;
  private static final int USAGE = 64;

  /** System property set by the script if standard output is a terminal. */
  private static final String INTERACTIVE = "portcullis.demo.watched";

  private DemoMain() {}

  /** Runs the demo with {@link DemoOptions}; the exit code is the result. */
  public static void main(String[] args) throws IOException, InterruptedException {
    boolean noColor = !System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
    Terminal terminal = Terminal.standard(Boolean.getBoolean(INTERACTIVE), !noColor);
    DemoOptions options;
    try {
      options = DemoOptions.parse(List.of(args));
    } catch (IllegalArgumentException e) {
      terminal.print("./demo: " + e.getMessage());
      terminal.print(DemoOptions.USAGE);
      System.exit(USAGE);
      return;
    }
    System.exit(run(options, terminal));
  }

  private static int run(DemoOptions options, Terminal terminal)
      throws IOException, InterruptedException {
    try {
      Cluster cluster = new Cluster(DemoJars.below(Path.of("")));
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> end(cluster, terminal), "demo-shutdown"));
      printIntroduction(options.store(), terminal);
      return runIn(cluster, options, terminal);
    } catch (DemoFailureException e) {
      terminal.print("The demo failed. " + e.getMessage());
      return CANNOT_RUN;
    }
  }

  private static int runIn(Cluster cluster, DemoOptions options, Terminal terminal)
      throws IOException, InterruptedException {
    try {
      cluster.startStore(options.store());
      ConsistencyVerdict verdict = new DemoRun(cluster, options.store(), terminal).run();
      if (!options.keep()) {
        cluster.endNodes();
      }
      terminal.print("");
      VerdictFormatter.of(verdict, terminal).forEach(terminal::print);
      if (options.keep()) {
        keepRunning(cluster, terminal);
      }
      return verdict.holds() ? HOLDS : BROKEN;
    } catch (IOException | UncheckedIOException e) {
      if (cluster.isClosed()) {
        return CANNOT_RUN; // Interrupted: the files have been deleted.
      }
      throw e;
    }
  }

  private static void printIntroduction(StoreKind store, Terminal terminal) {
    terminal.print(
        terminal.bold("Three copies of a service share one journal. Only one may write."));
    terminal.print("");
    terminal.print("demo-service.jar is unmodified; the agent gates Ledger#append(..).");
    terminal.print(
        "Each copy receives " + LoadGenerator.PER_SECOND + " write requests per second.");
    terminal.print("The lease is " + NodeConfig.LEASE.toSeconds() + " s, " + store.leaseLocation());
    terminal.print("");
  }

  private static void keepRunning(Cluster cluster, Terminal terminal) throws InterruptedException {
    terminal.print("");
    for (ServiceNode node : cluster.nodes()) {
      terminal.print("  " + node.id() + "  service " + node.service() + "   agent " + node.agent());
    }
    terminal.print("");
    terminal.print("Press Ctrl-C to stop.");
    new CountDownLatch(1).await();
  }

  private static void end(Cluster cluster, Terminal terminal) {
    terminal.close();
    cluster.close();
  }
}
