package io.portcullis.agent.runtime;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.AgentConfig.LogSection;
import io.portcullis.agent.config.AgentConfig.LogSection.Format;
import io.portcullis.agent.config.AgentConfig.Mode;
import io.portcullis.agent.config.ElectionSection;
import io.portcullis.agent.diagnostics.DiagnosticsReport;
import io.portcullis.agent.extension.ExtensionListenerDispatcher;
import io.portcullis.agent.http.HttpEndpoint;
import io.portcullis.agent.http.HttpEndpoint.EndpointSources;
import io.portcullis.agent.http.StatusJson;
import io.portcullis.agent.log.LogSink;
import io.portcullis.agent.metrics.PrometheusExporter;
import io.portcullis.agent.node.Node;
import io.portcullis.agent.node.Node.NodeInfo;
import io.portcullis.agent.node.ReloadOutcome;
import io.portcullis.agent.node.TransitionHistory;
import io.portcullis.agent.node.WitnessElection;
import io.portcullis.election.NodeIdentity;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A witness: a process that only votes, so that two service nodes and a small third process suffice
 * for a quorum. To keep its footprint small it has no JMX and returns memory that was only needed
 * at startup.
 */
public final class WitnessProcess {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** Maximum time to write the last log lines at shutdown. */
  private static final Duration MAX_LOG_FLUSH = Duration.ofSeconds(1);

  /** Maximum time to notify the extensions' listeners of the last events at shutdown. */
  private static final Duration MAX_LISTENER_FLUSH = Duration.ofSeconds(1);

  /** Delay of the first garbage collection; by then startup is complete. */
  private static final Duration FIRST_GC_DELAY = Duration.ofSeconds(5);

  /**
   * Interval of later collections. A witness creates about 3 MB of garbage per minute, which the
   * JVM would otherwise accumulate.
   */
  private static final Duration GC_INTERVAL = Duration.ofSeconds(15);

  private final AgentConfig config;
  private final String identity;
  private final List<WitnessElection> elections = new ArrayList<>();
  private final List<ExtensionListenerDispatcher> dispatchers = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  private WitnessProcess(AgentConfig config) {
    this.config = config;
    this.identity = NodeIdentity.unique(config.node().id());
  }

  /**
   * Reasons why this configuration does not suit a witness, one sentence each; empty if it does.
   */
  public static List<String> objections(AgentConfig config) {
    List<String> objections = new ArrayList<>();
    if (config.activation().mode() != Mode.ENFORCE) {
      objections.add(
          "portcullis.mode must be enforce: a witness gates nothing and only votes; leave mode"
              + " out.");
    }
    for (ElectionSection election : config.elections()) {
      if (!election.backend().equals("quorum")) {
        objections.add(
            "portcullis.elections."
                + election.name()
                + ".backend is "
                + election.backend()
                + ", which needs no witness; leave this election out, or use quorum.");
      }
    }
    return objections;
  }

  /** Votes until the JVM shuts down. */
  public static void run(AgentConfig config) throws InterruptedException {
    LogSection log = config.interfaces().log();
    LogSink.configure(Level.valueOf(log.level().name()), log.format() == Format.JSON);
    new WitnessProcess(config).serve();
  }

  private void serve() throws InterruptedException {
    LOG.info(
        "portcullis {} from {} service={} node={} witness config={}",
        AgentVersion.text(),
        AgentVersion.jarPath(),
        config.service(),
        identity,
        config.files().main());
    config.elections().stream()
        .flatMap(election -> election.plan().warnings().stream())
        .forEach(warning -> LOG.warn("portcullis {}", warning));
    TransitionHistory transitions = new TransitionHistory();
    config.elections().forEach(election -> elections.add(startElection(election, transitions)));
    Runtime.getRuntime()
        .addShutdownHook(DaemonThreads.unstarted("portcullis-shutdown", this::shutDown));
    startHttp(transitions);
    collectGarbageUntilEnd();
  }

  private WitnessElection startElection(ElectionSection election, TransitionHistory transitions) {
    ElectionConfig setup =
        new ElectionConfig(
            config.service(), election.name(), identity, null, election.plan().timing());
    LeaseStore store = election.plan().openWitness(setup);
    if (store == null) {
      throw new IllegalStateException("backend " + election.backend() + " has no witnesses");
    }
    LOG.info("portcullis election={} store={}", election.name(), election.plan().describe());
    WitnessElection witness = new WitnessElection(setup, election.backend(), store, transitions);
    ExtensionListenerDispatcher dispatcher =
        new ExtensionListenerDispatcher(setup, config.interfaces().extensions().listeners());
    witness.addListener(dispatcher);
    dispatchers.add(dispatcher);
    witness.start();
    return witness;
  }

  private void startHttp(TransitionHistory transitions) {
    if (config.interfaces().http().enabled()) {
      Node node =
          new Node(
              new NodeInfo(
                  identity,
                  config.service(),
                  AgentVersion.text(),
                  config.activation().mode().name().toLowerCase(Locale.ROOT)),
              List.copyOf(elections),
              List::of,
              List::of,
              transitions);
      new HttpEndpoint(
              config.interfaces().http(),
              new EndpointSources(
                  node::view,
                  PrometheusExporter::of,
                  node.elections(),
                  WitnessProcess::noReload,
                  () ->
                      StatusJson.diagnostics(
                          DiagnosticsReport.gather(
                              node,
                              config.files().effective(),
                              AgentVersion.all(),
                              AgentInstaller::isOurs))))
          .start();
    }
  }

  private static ReloadOutcome noReload() {
    String why =
        "this node is a witness and has no rules; restart it to apply another configuration";
    return new ReloadOutcome(ReloadOutcome.Result.NEEDS_RESTART, "refused: " + why, List.of(why));
  }

  private void collectGarbageUntilEnd() throws InterruptedException {
    Duration pause = FIRST_GC_DELAY;
    while (!ended.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
      System.gc();
      pause = GC_INTERVAL;
    }
  }

  private void shutDown() {
    elections.forEach(WitnessElection::close);
    dispatchers.forEach(dispatcher -> dispatcher.finish(MAX_LISTENER_FLUSH));
    LogSink.flush(MAX_LOG_FLUSH);
    ended.countDown();
  }
}
