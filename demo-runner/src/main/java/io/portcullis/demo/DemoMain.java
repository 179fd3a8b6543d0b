package io.portcullis.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Plays the show; started by {@code ./demo} in the root of the repository. */
public final class DemoMain {
  private static final int HOLDS = 0;
  private static final int BROKEN = 1;
  private static final int CANNOT_RUN = 2;
  private static final int USAGE = 64;

  /** Set by the script, which can tell whether a person watches. */
  private static final String WATCHED = "portcullis.demo.watched";

  private DemoMain() {}

  /** Takes {@link DemoOptions}; the exit code says how it went. */
  public static void main(String[] args) throws IOException, InterruptedException {
    boolean noColor = !System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
    Terminal terminal = Terminal.standard(Boolean.getBoolean(WATCHED), !noColor);
    DemoOptions options;
    try {
      options = DemoOptions.parse(List.of(args));
    } catch (IllegalArgumentException e) {
      terminal.say("./demo: " + e.getMessage());
      terminal.say(DemoOptions.USAGE);
      System.exit(USAGE);
      return;
    }
    System.exit(run(options, terminal));
  }

  private static int run(DemoOptions options, Terminal terminal)
      throws IOException, InterruptedException {
    try {
      Cluster cluster = new Cluster(DemoJars.below(Path.of("")));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(cluster, terminal), "show-end"));
      introduce(options.store(), terminal);
      return play(options, cluster, terminal);
    } catch (DemoFailureException e) {
      terminal.say("The show can't go on. " + e.getMessage());
      return CANNOT_RUN;
    }
  }

  private static int play(DemoOptions options, Cluster cluster, Terminal terminal)
      throws IOException, InterruptedException {
    try {
      cluster.startStore(options.store());
      ConsistencyVerdict verdict = new DemoRun(cluster, options.store(), terminal).play();
      if (!options.keep()) {
        cluster.endNodes();
      }
      terminal.say("");
      VerdictFormatter.of(verdict, terminal).forEach(terminal::say);
      if (options.keep()) {
        keep(cluster, terminal);
      }
      return verdict.holds() ? HOLDS : BROKEN;
    } catch (IOException | UncheckedIOException e) {
      if (cluster.isClosed()) {
        return CANNOT_RUN; // It was interrupted, and the files are gone.
      }
      throw e;
    }
  }

  private static void introduce(StoreKind store, Terminal terminal) {
    terminal.say(terminal.bold("Three copies of a service share one journal. One may write."));
    terminal.say("");
    terminal.say("demo-service.jar knows nothing of this; the agent guards Ledger#append(..).");
    terminal.say("Each copy is asked for " + LoadGenerator.PER_SECOND + " writes a second.");
    terminal.say("The lease is " + NodeConfig.LEASE.toSeconds() + " s, " + store.keeping());
    terminal.say("");
  }

  private static void keep(Cluster cluster, Terminal terminal) throws InterruptedException {
    terminal.say("");
    for (ServiceNode node : cluster.nodes()) {
      terminal.say("  " + node.id() + "  service " + node.service() + "   agent " + node.agent());
    }
    terminal.say("");
    terminal.say("Ctrl-C ends it.");
    new CountDownLatch(1).await();
  }

  private static void end(Cluster cluster, Terminal terminal) {
    terminal.close();
    cluster.close();
  }
}
