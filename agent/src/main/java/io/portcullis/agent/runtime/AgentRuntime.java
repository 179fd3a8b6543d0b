package io.portcullis.agent.runtime;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.AgentConfig.Mode;
import io.portcullis.agent.config.AgentConfig.WhenOff;
import io.portcullis.agent.config.ElectionSection;
import io.portcullis.agent.diagnostics.DiagnosticsReport;
import io.portcullis.agent.extension.ExtensionListenerDispatcher;
import io.portcullis.agent.fencing.FenceRegistry;
import io.portcullis.agent.health.EligibilityMonitor;
import io.portcullis.agent.hooks.ApplicationClassLookup;
import io.portcullis.agent.hooks.HookDispatcher;
import io.portcullis.agent.http.HttpEndpoint;
import io.portcullis.agent.http.HttpEndpoint.EndpointSources;
import io.portcullis.agent.http.StatusJson;
import io.portcullis.agent.jmx.MBeanRegistrar;
import io.portcullis.agent.log.LogSink;
import io.portcullis.agent.metrics.PrometheusExporter;
import io.portcullis.agent.node.DisabledElection;
import io.portcullis.agent.node.ElectionShutdownHook;
import io.portcullis.agent.node.Node;
import io.portcullis.agent.node.Node.NodeInfo;
import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.Participant;
import io.portcullis.agent.node.StartupGrace;
import io.portcullis.agent.node.TransitionHistory;
import io.portcullis.election.NodeIdentity;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.threads.DaemonThreads;
import io.portcullis.gate.ElectionGate;
import io.portcullis.rules.RulesInForce;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts what runs beside the application: elections, HTTP endpoint, MBeans. */
final class AgentRuntime {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** Maximum time to write the last log lines at shutdown. */
  private static final Duration MAX_LOG_FLUSH = Duration.ofSeconds(1);

  /** Interval at which an election is checked for a lost leader and for changes by priority. */
  private static final Duration ELECTION_POLL_INTERVAL = Duration.ofMillis(500);

  /** Interval at which the state of the fences is read. */
  private static final Duration FENCE_REFRESH_INTERVAL = Duration.ofSeconds(3);

  /** Maximum time to notify the extensions' listeners of the last events at shutdown. */
  private static final Duration MAX_LISTENER_FLUSH = Duration.ofSeconds(1);

  private final AgentConfig config;
  private final Instrumentation instrumentation;
  private final Map<String, ElectionGate> gates;
  private final Map<String, StartupGrace> startupGraces;
  private final RulesInForce rules;
  private final FenceRegistry fences;
  private final ConfigReloader reload;
  private final WeaveFailurePolicy weaveFailurePolicy;
  private final AgentScheduler thread;
  private final TransitionHistory transitions = new TransitionHistory();

  AgentRuntime(
      AgentConfig config,
      Instrumentation instrumentation,
      Map<String, ElectionGate> gates,
      Map<String, StartupGrace> startupGraces,
      RulesInForce rules,
      FenceRegistry fences,
      ConfigReloader reload,
      WeaveFailurePolicy weaveFailurePolicy,
      AgentScheduler thread) {
    this.config = config;
    this.instrumentation = instrumentation;
    this.gates = gates;
    this.startupGraces = startupGraces;
    this.rules = rules;
    this.fences = fences;
    this.reload = reload;
    this.weaveFailurePolicy = weaveFailurePolicy;
    this.thread = thread;
  }

  void start() {
    // Created here, off the main thread: initializing the JVM's secure random takes a while.
    String identity = NodeIdentity.unique(config.node().id());
    logStart(identity);
    List<NodeElection> elections = new ArrayList<>();
    for (ElectionSection election : config.elections()) {
      elections.add(
          config.activation().mode() == Mode.OFF
              ? disabled(election)
              : startElection(election, identity));
    }
    Node node =
        new Node(
            new NodeInfo(
                identity,
                config.service(),
                AgentVersion.text(),
                config.activation().mode().name().toLowerCase(Locale.ROOT)),
            List.copyOf(elections),
            () -> rules.book().coverage(),
            fences::view,
            transitions,
            reload::pending);
    if (!fences.isEmpty()) {
      thread.scheduleRepeatedly(FENCE_REFRESH_INTERVAL, fences::refresh);
    }
    if (config.interfaces().http().enabled()) {
      new HttpEndpoint(
              config.interfaces().http(),
              new EndpointSources(
                  node::view,
                  PrometheusExporter::of,
                  node.elections(),
                  reload::reloadNow,
                  () -> diagnostics(node)))
          .start();
    }
    registerBeans(node);
  }

  private void logStart(String identity) {
    LOG.info(
        "portcullis {} from {} service={} node={} mode={} config={}",
        AgentVersion.text(),
        AgentVersion.jarPath(),
        config.service(),
        identity,
        config.activation().mode().name().toLowerCase(Locale.ROOT),
        config.files().main());
    config
        .interfaces()
        .extensions()
        .list()
        .forEach(each -> LOG.info("portcullis extension {}", each));
    config.files().warnings().forEach(warning -> LOG.warn("portcullis {}", warning));
  }

  private NodeElection disabled(ElectionSection election) {
    return new DisabledElection(
        election.name(),
        election.backend(),
        config.activation().whenOff().filter(WhenOff.LEADER::equals).isPresent(),
        "mode is off, when-off is "
            + config
                .activation()
                .whenOff()
                .map(when -> when.name().toLowerCase(Locale.ROOT))
                .orElse("not set"));
  }

  private NodeElection startElection(ElectionSection election, String identity) {
    ElectionConfig setup = config.setup(election, identity);
    CampaignCondition condition =
        new CampaignCondition(election.campaign().requiredRules(), election.campaign().after());
    Participant participant =
        new Participant(
            setup,
            election.backend(),
            fences.withFences(election.name(), election.plan()),
            Objects.requireNonNull(gates.get(election.name())),
            Objects.requireNonNull(startupGraces.get(election.name())),
            transitions,
            withdrawalReasons(condition, election),
            config.node().priorityAfter());
    LOG.info("portcullis election={} store={}", election.name(), election.plan().describe());
    weaveFailurePolicy.onFailure(participant::neverLeadAgain);
    HookDispatcher hooks = hooks(election);
    if (hooks != null) {
      participant.addHooks(hooks, hooks::counts);
      hooks.start();
    }
    ExtensionListenerDispatcher extensionListeners =
        new ExtensionListenerDispatcher(setup, config.interfaces().extensions().listeners());
    participant.addListener(extensionListeners);
    participant.start();
    if (election.eligibleWhen().isSet()) {
      new EligibilityMonitor(election.name(), election.eligibleWhen(), participant::setEligible)
          .start();
    }
    thread.scheduleRepeatedly(ELECTION_POLL_INTERVAL, () -> participant.poll(System.nanoTime()));
    if (condition.mustWait()) {
      condition.watch(participant, rules::book, thread);
    }
    ElectionShutdownHook.register(
        election.name(),
        election.shutdownLinger(),
        participant::endWaiting,
        () -> shutDown(participant, hooks, election.hooks().timeout(), extensionListeners),
        instrumentation);
    return participant;
  }

  private static Set<WithdrawalReason> withdrawalReasons(
      CampaignCondition condition, ElectionSection election) {
    Set<WithdrawalReason> reasons = EnumSet.noneOf(WithdrawalReason.class);
    if (condition.mustWait()) {
      reasons.add(WithdrawalReason.NOT_READY);
    }
    if (election.eligibleWhen().isSet()) {
      reasons.add(WithdrawalReason.INELIGIBLE);
    }
    return reasons;
  }

  private @Nullable HookDispatcher hooks(ElectionSection election) {
    return election.hooks().isSet()
        ? new HookDispatcher(
            election.name(), election.hooks(), ApplicationClassLookup.of(instrumentation))
        : null;
  }

  private static void shutDown(
      Participant participant,
      @Nullable HookDispatcher hooks,
      Duration hookTimeout,
      ExtensionListenerDispatcher extensionListeners) {
    participant.close();
    if (hooks != null) {
      hooks.finish(hookTimeout);
    }
    extensionListeners.finish(MAX_LISTENER_FLUSH);
    LogSink.flush(MAX_LOG_FLUSH);
  }

  private String diagnostics(Node node) {
    return StatusJson.diagnostics(
        DiagnosticsReport.gather(
            node, reload.effective(), AgentVersion.all(), AgentInstaller::isOurs));
  }

  /** Registers the MBeans on a separate thread, since it may have to wait for the application. */
  private void registerBeans(Node node) {
    DaemonThreads.unstarted(
            "portcullis-jmx",
            () -> {
              JmxStartDelay.awaitApplicationStart(instrumentation, System.getProperties());
              try {
                MBeanRegistrar registrar =
                    new MBeanRegistrar(
                        ManagementFactory.getPlatformMBeanServer(),
                        node,
                        () -> reload.reloadNow().message(),
                        () -> diagnostics(node));
                registrar.register();
                reload.onReload(registrar::refreshRules);
              } catch (JMException | RuntimeException e) {
                LOG.error("portcullis MBeans could not be registered", e);
              }
            })
        .start();
  }

  /**
   * Condition for an election to campaign: the required rules are armed, or a configured time has
   * passed. If a required rule is no longer armed, for example because its class was unloaded, the
   * election withdraws and waits again.
   *
   * @param requiredRules ids of the rules that must be armed
   * @param after campaign after this time in any case; zero means to wait for the rules without
   *     limit
   */
  record CampaignCondition(List<String> requiredRules, Duration after) {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    /** Interval at which the armed rules are checked while the node campaigns. */
    private static final Duration RECHECK_INTERVAL = Duration.ofMillis(500);

    /** Whether rules are required. */
    boolean mustWait() {
      return !requiredRules.isEmpty();
    }

    /**
     * Allows {@code participant} to campaign once the condition holds, and forbids it when a
     * required rule is no longer armed.
     */
    void watch(Participant participant, Supplier<InstalledRules> rules, AgentScheduler thread) {
      LOG.info(
          "portcullis election={} campaigns once the rules {} are armed",
          participant.name(),
          requiredRules);
      await(participant, rules, thread);
    }

    private void await(
        Participant participant, Supplier<InstalledRules> rules, AgentScheduler thread) {
      poll(participant, rules, thread, System.nanoTime() + after.toNanos());
    }

    private void poll(
        Participant participant,
        Supplier<InstalledRules> rules,
        AgentScheduler thread,
        long endNanos) {
      boolean timeIsUp = !after.isZero() && endNanos - System.nanoTime() <= 0;
      if (unarmed(rules.get()).isEmpty()) {
        participant.allowCampaign();
        thread.schedule(RECHECK_INTERVAL, () -> recheck(participant, rules, thread));
      } else if (timeIsUp) {
        LOG.warn(
            "portcullis election={} campaigns although not all of the rules {} are armed after {}",
            participant.name(),
            requiredRules,
            after);
        participant.allowCampaign();
      } else {
        participant.endGraceIfNotCampaigning();
        thread.schedule(POLL_INTERVAL, () -> poll(participant, rules, thread, endNanos));
      }
    }

    private void recheck(
        Participant participant, Supplier<InstalledRules> rules, AgentScheduler thread) {
      List<String> unarmed = unarmed(rules.get());
      if (unarmed.isEmpty()) {
        thread.schedule(RECHECK_INTERVAL, () -> recheck(participant, rules, thread));
        return;
      }
      LOG.warn(
          "portcullis election={} withdraws until the rules {} are armed again",
          participant.name(),
          unarmed);
      participant.forbidCampaign("the required rules " + unarmed + " are no longer armed");
      await(participant, rules, thread);
    }

    private List<String> unarmed(InstalledRules installed) {
      Set<String> armed =
          installed.coverage().stream()
              .filter(rule -> rule.state() == RuleState.ARMED)
              .map(RuleCoverage::id)
              .collect(Collectors.toSet());
      return requiredRules.stream().filter(id -> !armed.contains(id)).toList();
    }
  }

  /**
   * Single daemon thread for all tasks that do not belong to one election. Tasks run one at a time;
   * a failed task is logged and does not affect later ones.
   */
  static final class AgentScheduler {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    private final ScheduledThreadPoolExecutor executor =
        DaemonThreads.scheduled("portcullis", new AbortPolicy());

    /** Runs a task after the tasks queued before it. */
    void execute(Runnable task) {
      executor.execute(logFailure(task));
    }

    /** Runs a task once after a delay. */
    @SuppressWarnings("FutureReturnValueIgnored") // Failures are reported by the task itself.
    void schedule(Duration delay, Runnable task) {
      executor.schedule(logFailure(task), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Runs a task repeatedly, with a fixed delay between two runs. */
    @SuppressWarnings("FutureReturnValueIgnored")
    void scheduleRepeatedly(Duration delay, Runnable task) {
      executor.scheduleWithFixedDelay(
          logFailure(task), delay.toMillis(), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Runnable logFailure(Runnable task) {
      return () -> {
        try {
          task.run();
        } catch (RuntimeException | Error e) { // The executor would otherwise cancel the task.
          LOG.error("portcullis internal task failed", e);
        }
      };
    }
  }
}
