package io.portcullis.agent.runtime;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.AgentConfig.Mode;
import io.portcullis.agent.config.AgentConfig.RefusalLimits;
import io.portcullis.agent.config.AgentConfig.WhenOff;
import io.portcullis.agent.config.ElectionSection;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.fencing.CoverageMonitor;
import io.portcullis.agent.fencing.FenceRegistry;
import io.portcullis.agent.fencing.NodeFences;
import io.portcullis.agent.node.StartupGrace;
import io.portcullis.agent.runtime.AgentRuntime.AgentScheduler;
import io.portcullis.fencing.protocol.FencedConnections;
import io.portcullis.fencing.weave.DriverWeaver;
import io.portcullis.fencing.weave.DriverWeaver.DriverWeaveFailure;
import io.portcullis.fencing.weave.UnfencedDriver;
import io.portcullis.gate.DriverHooks;
import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.gate.Refusal;
import io.portcullis.gate.RefusalRateLimiter;
import io.portcullis.gate.RefusedCallers;
import io.portcullis.gate.RefusedCallers.RefusedCaller;
import io.portcullis.rules.RulesInForce;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.InstalledRules.RuleListener;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.weave.OsgiLoaderTransformer;
import java.lang.instrument.Instrumentation;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the agent in this JVM. When {@link #install} returns, the gates exist and are shut, and
 * the weaver is active. Everything else starts on a daemon thread.
 */
final class AgentInstaller {
  private final AgentConfig config;
  private final Instrumentation instrumentation;
  private final WeaveFailurePolicy weaveFailurePolicy;
  private final AgentScheduler thread = new AgentScheduler();
  private final RuleStateLogger ruleStates = new RuleStateLogger(thread);
  private final Map<String, ElectionGate> gates = new LinkedHashMap<>();
  private final Map<String, StartupGrace> startupGraces = new LinkedHashMap<>();

  AgentInstaller(
      AgentConfig config, Instrumentation instrumentation, WeaveFailurePolicy weaveFailurePolicy) {
    this.config = config;
    this.instrumentation = instrumentation;
    this.weaveFailurePolicy = weaveFailurePolicy;
  }

  /**
   * Installs the agent.
   *
   * @param configReader reads the configuration again, for reloads
   */
  void install(Supplier<AgentConfig> configReader) {
    // when-off = leader declares a single instance: without gates Leadership behaves as without
    // the agent.
    boolean single = config.activation().whenOff().filter(WhenOff.LEADER::equals).isPresent();
    if (!single) {
      config.elections().forEach(this::addGate);
    }
    List<Rule> first = single ? List.of() : RuleFactory.rules(config);
    instrumentation.addTransformer(new OsgiLoaderTransformer(), true);
    MissedDriverScan drivers =
        new MissedDriverScan(instrumentation, weaveFailurePolicy::driverFailed);
    FenceRegistry fences = fences(drivers);
    RulesInForce rules =
        new RulesInForce(
            instrumentation,
            InstalledRules.install(first, gates::get, this::wrap, ruleStates),
            weaveFailurePolicy,
            AgentInstaller::isOurs);
    MissedClassScan missedClasses =
        new MissedClassScan(
            () -> instrumentation.getAllLoadedClasses().length, rules::weaveLoaded, drivers);
    // Classes may already be loaded by other agents or from an AOT cache.
    weaveFailurePolicy.guard(missedClasses);
    ConfigReloader reload =
        new ConfigReloader(config, configReader, rules, Map.copyOf(gates), this::wrap, ruleStates);
    AgentRuntime runtime =
        new AgentRuntime(
            config,
            instrumentation,
            gates,
            startupGraces,
            rules,
            fences,
            reload,
            weaveFailurePolicy,
            thread);
    thread.execute(
        () -> {
          weaveFailurePolicy.guard(rules.book().canary()::check);
          weaveFailurePolicy.guard(rules::checkCopied);
          weaveFailurePolicy.guard(runtime::start);
          ruleStates.watch(() -> rules.book().coverage());
          thread.scheduleRepeatedly(MissedClassScan.INTERVAL, missedClasses);
          thread.scheduleRepeatedly(
              MissedClassScan.INTERVAL, () -> weaveFailurePolicy.guard(rules::checkCopied));
          thread.scheduleRepeatedly(ConfigFileWatcher.INTERVAL, new ConfigFileWatcher(reload));
        });
  }

  /** Creates the fences. They are active in enforce mode only: observe mode refuses nothing. */
  private FenceRegistry fences(MissedDriverScan drivers) {
    boolean enforced = config.activation().mode() == Mode.ENFORCE;
    NodeFences fences =
        new NodeFences(enforced ? config.protection().fences() : List.of(), gates::get);
    FencedConnections connections = new FencedConnections(fences);
    FenceRegistry registry = new FenceRegistry(fences, connections, System::nanoTime);
    if (!fences.isEmpty()) {
      DriverHooks.install(connections);
      weaveFailurePolicy.guard(() -> drivers.begin(registry.coverage()));
    }
    return registry;
  }

  private void addGate(ElectionSection election) {
    ElectionGate gate = Gate.addElection(election.name());
    if (config.activation().mode() == Mode.OFF) {
      gate.endWaiting();
    }
    gates.put(election.name(), gate);
    startupGraces.put(election.name(), new StartupGrace(election.settle()));
  }

  /**
   * Adds to a refusal the recording of callers, then the rate limit and the startup grace, except
   * that a refusal that only observes or waits itself gets neither of these two. The grace is left
   * out if the mode is off, as there is no response of the store to wait for. It comes first: a
   * call that it delays is not refused yet.
   */
  private Refusal wrap(Rule rule, Refusal refusal) {
    Refusal recorded =
        RefusedCallers.recording(refusal, caller -> ruleStates.newCaller(rule, caller));
    if (rule.observe() || rule.action().waits()) {
      return recorded;
    }
    RefusalLimits limits = config.protection().refusalLimits();
    Refusal limited =
        limits.slowDownAfter() == 0
            ? recorded
            : RefusalRateLimiter.limit(recorded, limits.slowDownAfter(), limits.maxPause());
    StartupGrace grace = startupGraces.get(rule.election());
    return config.activation().mode() == Mode.OFF || grace == null ? limited : grace.wrap(limited);
  }

  /**
   * Whether the loader is the engine's, a backend's (a child of the engine's) or an extension's.
   * Their classes are never woven: a rule must not gate the code that keeps the lease.
   */
  static boolean isOurs(ClassLoader loader) {
    ClassLoader engine = AgentInstaller.class.getClassLoader();
    return loader == engine
        || loader.getParent() == engine
        || ExtensionRegistry.isExtensionLoader(loader);
  }

  /**
   * Weaves the application's database drivers: at loading, and in {@link #run} those that were
   * loaded unwoven. Reports known drivers that can't be fenced. Inactive before {@link #begin}.
   */
  static final class MissedDriverScan implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    private final Instrumentation instrumentation;
    private final Consumer<DriverWeaveFailure> failures;
    private volatile @Nullable DriverWeaver weaver;
    private volatile @Nullable CoverageMonitor coverage;

    MissedDriverScan(Instrumentation instrumentation, Consumer<DriverWeaveFailure> failures) {
      this.instrumentation = instrumentation;
      this.failures = failures;
    }

    /**
     * Installs the driver weaver and weaves drivers that are already loaded. No warning is logged
     * for these, since the application has not run yet.
     */
    void begin(CoverageMonitor monitor) {
      DriverWeaver created = new DriverWeaver(MissedDriverScan::isOwn, failures);
      coverage = monitor;
      instrumentation.addTransformer(created, true);
      weaver = created;
      created.weaveLoaded(instrumentation);
    }

    private static boolean isOwn(@Nullable ClassLoader loader) {
      return loader != null && AgentInstaller.isOurs(loader);
    }

    @Override
    public void run() {
      DriverWeaver active = weaver;
      CoverageMonitor monitor = coverage;
      if (active == null || monitor == null) {
        return;
      }
      monitor.driversFound(
          UnfencedDriver.among(instrumentation.getAllLoadedClasses(), MissedDriverScan::isOwn));
      for (Class<?> late : active.weaveLoaded(instrumentation)) {
        LOG.warn(
            "portcullis {} of {} was loaded unwoven and is woven only now. Until now no epoch check"
                + " protected writes on its connections; each of them is closed at its next use,"
                + " and new ones are fenced",
            late.getName(),
            late.getClassLoader());
      }
    }
  }

  /**
   * Logs the state of rules: each state change, once each rule whose class has not been loaded for
   * a minute, each new caller that is refused, and periodically the number of refused and of
   * observed calls.
   */
  static final class RuleStateLogger implements RuleListener {
    private static final Duration LONG_PENDING = Duration.ofMinutes(1);
    private static final Duration REFUSAL_LOG_INTERVAL = Duration.ofSeconds(10);

    private final AgentScheduler thread;
    private final Duration longPending;
    private final Logger log;
    private final Map<String, Long> loggedRefusals = new HashMap<>();
    private final Map<String, Long> loggedObservations = new HashMap<>();

    /** Creates a logger that does its work on {@code thread}. */
    RuleStateLogger(AgentScheduler thread) {
      this(thread, LONG_PENDING, LoggerFactory.getLogger("portcullis"));
    }

    /**
     * Creates a logger with its own delay and target.
     *
     * @param longPending time after which a rule that is still pending is logged
     */
    RuleStateLogger(AgentScheduler thread, Duration longPending, Logger log) {
      this.thread = thread;
      this.longPending = longPending;
      this.log = log;
    }

    /** Queues the log line. Called during class loading, so it does nothing else. */
    @Override
    public void changed(Rule rule, RuleState state, String hint) {
      thread.execute(() -> logState(rule.id(), state, hint));
    }

    /**
     * Queues the log line on a caller that is refused, or observed, for the first time. The number
     * of these lines is bounded by {@link RefusedCallers#MAX_CALLERS} for each rule.
     */
    void newCaller(Rule rule, RefusedCaller caller) {
      thread.execute(
          () ->
              log.info(
                  "portcullis rule={} new {} caller: {}",
                  rule.id(),
                  rule.observe() ? "observed" : "refused",
                  String.join(" < ", caller.frames())));
    }

    private void logState(String rule, RuleState state, String hint) {
      if (state == RuleState.ARMED) {
        log.info("portcullis rule={} state={}{}", rule, state, quoted(hint));
      } else {
        log.warn("portcullis rule={} state={}{}", rule, state, quoted(hint));
      }
    }

    private static String quoted(String hint) {
      return hint.isEmpty() ? "" : " hint=\"" + hint + "\"";
    }

    /**
     * Starts to log pending rules and refused calls.
     *
     * @param rules the rules in force
     */
    void watch(Supplier<List<RuleCoverage>> rules) {
      thread.schedule(longPending, () -> logPending(rules.get()));
      thread.scheduleRepeatedly(REFUSAL_LOG_INTERVAL, () -> logCalls(rules.get()));
    }

    private void logCalls(List<RuleCoverage> rules) {
      for (RuleCoverage rule : rules) {
        logCalls(rule.id(), "calls refused", rule.blocked(), loggedRefusals);
        logCalls(rule.id(), "calls only observed", rule.observed(), loggedObservations);
      }
    }

    private void logPending(List<RuleCoverage> rules) {
      for (RuleCoverage rule : rules) {
        if (rule.state() == RuleState.PENDING) {
          log.warn(
              "portcullis rule={} state=PENDING hint=\"no class with a method that matches {} was"
                  + " loaded within {} s; it gates nothing so far. The rule is armed if such a"
                  + " class is loaded later; otherwise correct its match{}\"",
              rule.id(),
              rule.match(),
              longPending.toSeconds(),
              rule.hint().isEmpty() ? "" : ". Seen so far: " + rule.hint());
        }
      }
    }

    private void logCalls(String rule, String what, long count, Map<String, Long> logged) {
      long before = logged.getOrDefault(rule, 0L);
      logged.put(rule, count);
      if (count > before) {
        log.info(
            "portcullis rule={} {} in the last {} s: {}, in all: {}",
            rule,
            what,
            REFUSAL_LOG_INTERVAL.toSeconds(),
            count - before,
            count);
      }
    }
  }
}
