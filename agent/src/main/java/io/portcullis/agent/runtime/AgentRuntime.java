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

/** What goes on beside the application: elections, HTTP, JMX. */
final class AgentRuntime {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** How long the last lines of the log may take to be written. */
  private static final Duration MAX_LOG_FLUSH = Duration.ofSeconds(1);

  /** How often to look whether the leadership should go to another node, or come to this one. */
  private static final Duration PRIORITY_INTERVAL = Duration.ofMillis(500);

  /** How often to look how the fences stand. */
  private static final Duration FENCE_REFRESH_INTERVAL = Duration.ofSeconds(3);

  /** How long extensions may take to hear the last news. */
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
      Map<String, StartupGrace> settlings,
      RulesInForce rules,
      FenceRegistry fences,
      ConfigReloader reload,
      WeaveFailurePolicy unsafety,
      AgentScheduler thread) {
    this.config = config;
    this.instrumentation = instrumentation;
    this.gates = gates;
    this.startupGraces = settlings;
    this.rules = rules;
    this.fences = fences;
    this.reload = reload;
    this.weaveFailurePolicy = unsafety;
    this.thread = thread;
  }

  void start() {
    // Here and not before: the JVM's source of random numbers takes a while to come up.
    String identity = NodeIdentity.unique(config.node().id());
    introduce(identity);
    List<NodeElection> elections = new ArrayList<>();
    for (ElectionSection election : config.elections()) {
      elections.add(
          config.mode() == Mode.OFF ? switchedOff(election) : takePart(election, identity));
    }
    Node node =
        new Node(
            identity,
            config.service(),
            AgentVersion.text(),
            config.mode().name().toLowerCase(Locale.ROOT),
            List.copyOf(elections),
            () -> rules.book().coverage(),
            fences::view,
            transitions,
            reload::pending);
    if (!fences.isEmpty()) {
      thread.scheduleRepeatedly(FENCE_REFRESH_INTERVAL, fences::refresh);
    }
    if (config.http().enabled()) {
      new HttpEndpoint(
              config.http(),
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

  private void introduce(String identity) {
    LOG.info(
        "portcullis {} from {} service={} node={} mode={} config={}",
        AgentVersion.text(),
        AgentVersion.place(),
        config.service(),
        identity,
        config.mode().name().toLowerCase(Locale.ROOT),
        config.file());
    config.extensions().list().forEach(each -> LOG.info("portcullis extension {}", each));
    config.warnings().forEach(warning -> LOG.warn("portcullis {}", warning));
  }

  private NodeElection switchedOff(ElectionSection election) {
    return new DisabledElection(
        election.name(),
        election.backend(),
        config.whenOff().filter(WhenOff.LEADER::equals).isPresent(),
        "mode is off, when-off is "
            + config.whenOff().map(when -> when.name().toLowerCase(Locale.ROOT)).orElse("not set"));
  }

  private NodeElection takePart(ElectionSection election, String identity) {
    ElectionConfig setup = config.setup(election, identity);
    CampaignCondition wait =
        new CampaignCondition(election.campaign().requiredRules(), election.campaign().after());
    Participant participant =
        new Participant(
            setup,
            election.backend(),
            fences.withFences(election.name(), election.plan()),
            Objects.requireNonNull(gates.get(election.name())),
            Objects.requireNonNull(startupGraces.get(election.name())),
            transitions,
            absences(wait, election),
            config.node().priorityAfter());
    LOG.info("portcullis election={} store={}", election.name(), election.plan().describe());
    weaveFailurePolicy.onFailure(participant::neverLeadAgain);
    HookDispatcher hooks = hooks(election);
    if (hooks != null) {
      participant.addHooks(hooks, hooks::counts);
      hooks.start();
    }
    ExtensionListenerDispatcher voice =
        new ExtensionListenerDispatcher(setup, config.extensions().listeners());
    participant.addListener(voice);
    participant.start();
    if (election.eligibleWhen().isSet()) {
      new EligibilityMonitor(election.name(), election.eligibleWhen(), participant::setEligible)
          .start();
    }
    thread.scheduleRepeatedly(
        PRIORITY_INTERVAL, () -> participant.applyPriority(System.nanoTime()));
    if (wait.mustWait()) {
      wait.watch(participant, rules::book, thread);
    }
    ElectionShutdownHook.register(
        election.name(),
        election.shutdownLinger(),
        participant::endWaiting,
        () -> leave(participant, hooks, election.hooks().timeout(), voice),
        instrumentation);
    return participant;
  }

  private static Set<WithdrawalReason> absences(CampaignCondition wait, ElectionSection election) {
    Set<WithdrawalReason> absences = EnumSet.noneOf(WithdrawalReason.class);
    if (wait.mustWait()) {
      absences.add(WithdrawalReason.NOT_READY);
    }
    if (election.eligibleWhen().isSet()) {
      absences.add(WithdrawalReason.INELIGIBLE);
    }
    return absences;
  }

  private @Nullable HookDispatcher hooks(ElectionSection election) {
    return election.hooks().isSet()
        ? new HookDispatcher(
            election.name(), election.hooks(), ApplicationClassLookup.of(instrumentation))
        : null;
  }

  private static void leave(
      Participant participant,
      @Nullable HookDispatcher hooks,
      Duration patience,
      ExtensionListenerDispatcher voice) {
    participant.close();
    if (hooks != null) {
      hooks.finish(patience);
    }
    voice.finish(MAX_LISTENER_FLUSH);
    LogSink.flush(MAX_LOG_FLUSH);
  }

  private String diagnostics(Node node) {
    return StatusJson.diagnostics(
        DiagnosticsReport.gather(
            node, reload.effective(), AgentVersion.all(), AgentInstaller::isOurs));
  }

  /** On a thread of its own, since the application may have to go first. */
  private void registerBeans(Node node) {
    DaemonThreads.unstarted(
            "portcullis-jmx",
            () -> {
              JmxStartDelay.awaitApplicationStart(instrumentation, System.getProperties());
              try {
                MBeanRegistrar beans =
                    new MBeanRegistrar(
                        ManagementFactory.getPlatformMBeanServer(),
                        node,
                        () -> reload.reloadNow().message(),
                        () -> diagnostics(node));
                beans.register();
                reload.onReload(beans::refreshRules);
              } catch (JMException | RuntimeException e) {
                LOG.error("portcullis can't be seen by JMX", e);
              }
            })
        .start();
  }

  /**
   * What an election waits for before it campaigns: rules that must be armed, or a time that has
   * passed. If one of them is armed no longer, be it that its class is gone, the election stands
   * back and waits again.
   *
   * @param requiredRules the ids of those rules
   * @param after campaign after this long in any case; zero: wait for the rules however long it
   *     takes
   */
  record CampaignCondition(List<String> requiredRules, Duration after) {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    /** How often to look whether all is as it was. */
    private static final Duration RECHECK_INTERVAL = Duration.ofMillis(500);

    /** Whether there is anything to wait for. */
    boolean mustWait() {
      return !requiredRules.isEmpty();
    }

    /**
     * Lets {@code participant} campaign once the wait is over, and as long as the rules are armed.
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
          "portcullis election={} stands back until the rules {} are armed again",
          participant.name(),
          unarmed);
      participant.forbidCampaign("the required rules " + unarmed + " are not armed any more");
      await(participant, rules, thread);
    }

    private List<String> unarmed(InstalledRules book) {
      Set<String> armed =
          book.coverage().stream()
              .filter(rule -> rule.state() == RuleState.ARMED)
              .map(RuleCoverage::id)
              .collect(Collectors.toSet());
      return requiredRules.stream().filter(id -> !armed.contains(id)).toList();
    }
  }

  /**
   * The one daemon thread for all that is not an election's own. Tasks come one after the other;
   * one that fails is reported, and the next goes on.
   */
  static final class AgentScheduler {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    private final ScheduledThreadPoolExecutor executor =
        DaemonThreads.scheduled("portcullis", new AbortPolicy());

    /** As soon as the tasks before it are done. */
    void execute(Runnable task) {
      executor.execute(reporting(task));
    }

    /** Once this much time has passed. */
    @SuppressWarnings("FutureReturnValueIgnored") // Failures are reported by the task itself.
    void schedule(Duration pause, Runnable task) {
      executor.schedule(reporting(task), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Again and again, with this pause between. */
    @SuppressWarnings("FutureReturnValueIgnored")
    void scheduleRepeatedly(Duration pause, Runnable task) {
      executor.scheduleWithFixedDelay(
          reporting(task), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Runnable reporting(Runnable task) {
      return () -> {
        try {
          task.run();
        } catch (RuntimeException | Error e) { // Else the task would never come again.
          LOG.error("portcullis failed at a task of its own", e);
        }
      };
    }
  }
}
