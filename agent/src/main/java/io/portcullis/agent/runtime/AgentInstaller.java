package io.portcullis.agent.runtime;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.AgentConfig.Mode;
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
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the agent in this JVM. The gates and the weaver are there, shut, when {@link #install}
 * returns; everything else follows on a daemon thread.
 */
final class AgentInstaller {
  private final AgentConfig config;
  private final Instrumentation instrumentation;
  private final WeaveFailurePolicy weaveFailurePolicy;
  private final AgentScheduler thread = new AgentScheduler();
  private final Map<String, ElectionGate> gates = new LinkedHashMap<>();
  private final Map<String, StartupGrace> startupGraces = new LinkedHashMap<>();

  AgentInstaller(AgentConfig config, Instrumentation instrumentation, WeaveFailurePolicy unsafety) {
    this.config = config;
    this.instrumentation = instrumentation;
    this.weaveFailurePolicy = unsafety;
  }

  /**
   * Installs it.
   *
   * @param reading reads the configuration anew
   */
  void install(Supplier<AgentConfig> reading) {
    // A single instance by the operator's word: no gate, so that Leadership answers as without us.
    boolean single = config.whenOff().filter(WhenOff.LEADER::equals).isPresent();
    if (!single) {
      config.elections().forEach(this::addGate);
    }
    RuleStateLogger news = new RuleStateLogger(thread);
    List<Rule> first = single ? List.of() : RuleFactory.rules(config);
    instrumentation.addTransformer(new OsgiLoaderTransformer(), true);
    MissedDriverScan drivers =
        new MissedDriverScan(instrumentation, weaveFailurePolicy::driverFailed);
    FenceRegistry fences = fences(drivers);
    RulesInForce rules =
        new RulesInForce(
            instrumentation,
            InstalledRules.install(first, gates::get, this::wrap, news),
            weaveFailurePolicy,
            AgentInstaller::isOurs);
    MissedClassScan sweep =
        new MissedClassScan(
            () -> instrumentation.getAllLoadedClasses().length, rules::weaveLoaded, drivers);
    // Other agents may have loaded classes before us, and so has a JVM with an AOT cache.
    weaveFailurePolicy.guard(sweep);
    ConfigReloader reload =
        new ConfigReloader(config, reading, rules, Map.copyOf(gates), this::wrap, news);
    AgentRuntime running =
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
          weaveFailurePolicy.guard(running::start);
          news.watch(() -> rules.book().coverage(), () -> rules.book().observing());
          thread.scheduleRepeatedly(MissedClassScan.INTERVAL, sweep);
          thread.scheduleRepeatedly(
              MissedClassScan.INTERVAL, () -> weaveFailurePolicy.guard(rules::checkCopied));
          thread.scheduleRepeatedly(ConfigFileWatcher.INTERVAL, new ConfigFileWatcher(reload));
        });
  }

  /** Fences compare only where gates are enforced: whoever observes is not to be refused. */
  private FenceRegistry fences(MissedDriverScan drivers) {
    boolean enforced = config.mode() == Mode.ENFORCE;
    NodeFences fences = new NodeFences(enforced ? config.fences() : List.of(), gates::get);
    FencedConnections lines = new FencedConnections(fences);
    FenceRegistry yard = new FenceRegistry(fences, lines, System::nanoTime);
    if (!fences.isEmpty()) {
      DriverHooks.install(lines);
      weaveFailurePolicy.guard(() -> drivers.begin(yard.coverage()));
    }
    return yard;
  }

  private void addGate(ElectionSection election) {
    ElectionGate gate = Gate.addElection(election.name());
    if (config.mode() == Mode.OFF) {
      gate.endWaiting();
    }
    gates.put(election.name(), gate);
    startupGraces.put(election.name(), new StartupGrace(election.settle()));
  }

  /** With the mode off there is nothing to wait for, and one wait is enough. */
  private Refusal wrap(Rule rule, Refusal refusal) {
    StartupGrace settling = startupGraces.get(rule.election());
    return config.mode() == Mode.OFF || settling == null || rule.observe() || rule.action().waits()
        ? refusal
        : settling.wrap(refusal);
  }

  /**
   * The engine's own loader, those of the backends, which are its children, and those of
   * extensions: a rule must not gate what keeps the lease.
   */
  static boolean isOurs(ClassLoader loader) {
    ClassLoader engine = AgentInstaller.class.getClassLoader();
    return loader == engine
        || loader.getParent() == engine
        || ExtensionRegistry.isExtensionLoader(loader);
  }

  /**
   * Has the application's database drivers woven as they are loaded, and those that got past the
   * weaver when it is run. Reports known drivers that can't be fenced. Does nothing before it is
   * begun.
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

    /** Nothing of the application has run before this: what is loaded is no surprise. */
    void begin(CoverageMonitor monitor) {
      DriverWeaver begun = new DriverWeaver(MissedDriverScan::isOwn, failures);
      coverage = monitor;
      instrumentation.addTransformer(begun, true);
      weaver = begun;
      begun.weaveLoaded(instrumentation);
    }

    private static boolean isOwn(@Nullable ClassLoader loader) {
      return loader != null && AgentInstaller.isOurs(loader);
    }

    @Override
    public void run() {
      DriverWeaver begun = weaver;
      CoverageMonitor monitor = coverage;
      if (begun == null || monitor == null) {
        return;
      }
      monitor.driversFound(
          UnfencedDriver.among(instrumentation.getAllLoadedClasses(), MissedDriverScan::isOwn));
      for (Class<?> late : begun.weaveLoaded(instrumentation)) {
        LOG.warn(
            "portcullis {} of {} was loaded without a transformer being asked, and is woven only now."
                + " Until now nothing compared what its connections wrote; each of them is cut at its"
                + " next use, and new ones are fenced",
            late.getName(),
            late.getClassLoader());
      }
    }
  }

  /**
   * Says in the log what becomes of rules: once when a state changes, once when a rule's class has
   * not come for a minute, and now and then how many calls were refused.
   */
  static final class RuleStateLogger implements RuleListener {
    private static final Duration LONG_PENDING = Duration.ofMinutes(1);
    private static final Duration REFUSAL_LOG_INTERVAL = Duration.ofSeconds(10);

    private final AgentScheduler thread;
    private final Duration longPending;
    private final Logger log;
    private final Map<String, Long> loggedRefusals = new HashMap<>();

    /** News told on {@code thread}. */
    RuleStateLogger(AgentScheduler thread) {
      this(thread, LONG_PENDING, LoggerFactory.getLogger("portcullis"));
    }

    /**
     * @param longPending after so long a rule whose class has not come is complained of
     * @param log where news are told
     */
    RuleStateLogger(AgentScheduler thread, Duration longPending, Logger log) {
      this.thread = thread;
      this.longPending = longPending;
      this.log = log;
    }

    /** Called in the middle of loading a class: the news is only handed on here. */
    @Override
    public void changed(Rule rule, RuleState state, String hint) {
      thread.execute(() -> logState(rule.id(), state, hint));
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
     * Looks after the rules in force from now on.
     *
     * @param observing the ids of those whose calls are counted and never refused
     */
    void watch(Supplier<List<RuleCoverage>> rules, Supplier<Set<String>> observing) {
      thread.schedule(longPending, () -> logPending(rules.get()));
      thread.scheduleRepeatedly(
          REFUSAL_LOG_INTERVAL, () -> logRefusals(rules.get(), observing.get()));
    }

    private void logRefusals(List<RuleCoverage> rules, Set<String> observing) {
      rules.forEach(rule -> logRefusals(rule, observing.contains(rule.id())));
    }

    private void logPending(List<RuleCoverage> rules) {
      for (RuleCoverage rule : rules) {
        if (rule.state() == RuleState.PENDING) {
          log.warn(
              "portcullis rule={} state=PENDING hint=\"no class with a method that {} means has been"
                  + " loaded for {} s; it gates nothing so far. If one is loaded later, this mends"
                  + " itself; else correct the rule's match{}\"",
              rule.id(),
              rule.match(),
              longPending.toSeconds(),
              rule.hint().isEmpty() ? "" : ". Seen so far: " + rule.hint());
        }
      }
    }

    private void logRefusals(RuleCoverage rule, boolean observed) {
      long before = loggedRefusals.getOrDefault(rule.id(), 0L);
      loggedRefusals.put(rule.id(), rule.blocked());
      if (rule.blocked() > before) {
        log.info(
            "portcullis rule={} {} in the last {} s: {}, in all: {}",
            rule.id(),
            observed ? "calls only observed" : "calls refused",
            REFUSAL_LOG_INTERVAL.toSeconds(),
            rule.blocked() - before,
            rule.blocked());
      }
    }
  }
}
