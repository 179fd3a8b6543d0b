package io.portcullis.agent.runtime;

import io.portcullis.agent.config.AgentConfig;
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
 * A process that only votes, so that two nodes and a tiny third one suffice for a quorum. It is
 * meant to be small: no JMX, and memory that was only needed to start is given back.
 */
public final class WitnessProcess {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** How long the last lines of the log may take to be written. */
  private static final Duration MAX_LOG_FLUSH = Duration.ofSeconds(1);

  /** How long extensions may take to hear the last news. */
  private static final Duration MAX_LISTENER_FLUSH = Duration.ofSeconds(1);

  /** By then all that is needed has been loaded, and what was needed for that can go. */
  private static final Duration FIRST_GC_DELAY = Duration.ofSeconds(5);

  /** A witness makes some 3 MB of garbage a minute, which the JVM would let pile up first. */
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

  /** What in this configuration no witness can do, a sentence each; empty if it can be one. */
  public static List<String> objections(AgentConfig config) {
    List<String> objections = new ArrayList<>();
    if (config.mode() != Mode.ENFORCE) {
      objections.add(
          "portcullis.mode must be enforce: a witness gates nothing and only votes; leave mode out.");
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

  /** Votes until the JVM is told to end. */
  public static void run(AgentConfig config) throws InterruptedException {
    LogSink.configure(
        Level.valueOf(config.log().level().name()), config.log().format() == Format.JSON);
    new WitnessProcess(config).serve();
  }

  private void serve() throws InterruptedException {
    LOG.info(
        "portcullis {} from {} service={} node={} witness config={}",
        AgentVersion.text(),
        AgentVersion.place(),
        config.service(),
        identity,
        config.file());
    config.elections().stream()
        .flatMap(election -> election.plan().warnings().stream())
        .forEach(warning -> LOG.warn("portcullis {}", warning));
    TransitionHistory transitions = new TransitionHistory();
    config.elections().forEach(election -> elections.add(seat(election, transitions)));
    Runtime.getRuntime()
        .addShutdownHook(DaemonThreads.unstarted("portcullis-farewell", this::leave));
    listen(transitions);
    collectGarbageUntilEnd();
  }

  private WitnessElection seat(ElectionSection election, TransitionHistory transitions) {
    ElectionConfig setup =
        new ElectionConfig(
            config.service(), election.name(), identity, null, election.plan().timing());
    LeaseStore store = election.plan().openWitness(setup);
    if (store == null) {
      throw new IllegalStateException("backend " + election.backend() + " has no witnesses");
    }
    LOG.info("portcullis election={} store={}", election.name(), election.plan().describe());
    WitnessElection seat = new WitnessElection(setup, election.backend(), store, transitions);
    ExtensionListenerDispatcher voice =
        new ExtensionListenerDispatcher(setup, config.extensions().listeners());
    seat.addListener(voice);
    dispatchers.add(voice);
    seat.start();
    return seat;
  }

  private void listen(TransitionHistory transitions) {
    if (config.http().enabled()) {
      Node node =
          new Node(
              identity,
              config.service(),
              AgentVersion.text(),
              config.mode().name().toLowerCase(Locale.ROOT),
              List.copyOf(elections),
              List::of,
              List::of,
              transitions);
      new HttpEndpoint(
              config.http(),
              new EndpointSources(
                  node::view,
                  PrometheusExporter::of,
                  node.elections(),
                  WitnessProcess::noReload,
                  () ->
                      StatusJson.diagnostics(
                          DiagnosticsReport.gather(
                              node,
                              config.effective(),
                              AgentVersion.all(),
                              AgentInstaller::isOurs))))
          .start();
    }
  }

  private static ReloadOutcome noReload() {
    String why =
        "this node is a witness and has no rules; start it again for another configuration";
    return new ReloadOutcome(ReloadOutcome.Result.NEEDS_RESTART, "refused: " + why, List.of(why));
  }

  private void collectGarbageUntilEnd() throws InterruptedException {
    Duration pause = FIRST_GC_DELAY;
    while (!ended.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
      System.gc();
      pause = GC_INTERVAL;
    }
  }

  private void leave() {
    elections.forEach(WitnessElection::close);
    dispatchers.forEach(voice -> voice.finish(MAX_LISTENER_FLUSH));
    LogSink.flush(MAX_LOG_FLUSH);
    ended.countDown();
  }
}
