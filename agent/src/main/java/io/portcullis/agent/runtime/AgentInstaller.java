package io.portcullis.agent.runtime;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.ElectionSection;
import io.portcullis.agent.config.Mode;
import io.portcullis.agent.config.WhenOff;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.fencing.FenceRegistry;
import io.portcullis.agent.fencing.NodeFences;
import io.portcullis.agent.gating.StartupGrace;
import io.portcullis.fencing.protocol.FencedConnections;
import io.portcullis.gate.DriverHooks;
import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.gate.Refusal;
import io.portcullis.rules.RulesInForce;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.weave.OsgiLoaderTransformer;
import java.lang.instrument.Instrumentation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Installs the agent in this JVM. The gates and the weaver are there, shut, when {@link #install}
 * returns; everything else follows on a daemon thread.
 */
final class AgentInstaller {
  private final AgentConfig config;
  private final Instrumentation instrumentation;
  private final WeaveFailurePolicy unsafety;
  private final AgentThread thread = new AgentThread();
  private final Map<String, ElectionGate> gates = new LinkedHashMap<>();
  private final Map<String, StartupGrace> settlings = new LinkedHashMap<>();

  AgentInstaller(AgentConfig config, Instrumentation instrumentation, WeaveFailurePolicy unsafety) {
    this.config = config;
    this.instrumentation = instrumentation;
    this.unsafety = unsafety;
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
    List<Rule> first = single ? List.of() : CheckedRules.rules(config);
    instrumentation.addTransformer(new OsgiLoaderTransformer(), true);
    MissedDriverScan drivers = new MissedDriverScan(instrumentation, unsafety::driverFailed);
    FenceRegistry fences = fences(drivers);
    RulesInForce rules =
        new RulesInForce(
            instrumentation,
            InstalledRules.install(first, gates::get, this::wrap, news),
            unsafety,
            AgentInstaller::isOurs);
    MissedClassScan sweep =
        new MissedClassScan(
            () -> instrumentation.getAllLoadedClasses().length, rules::weaveLoaded, drivers);
    // Other agents may have loaded classes before us, and so has a JVM with an AOT cache.
    unsafety.guard(sweep);
    ConfigReloader reload =
        new ConfigReloader(config, reading, rules, Map.copyOf(gates), this::wrap, news);
    AgentRuntime running =
        new AgentRuntime(
            config, instrumentation, gates, settlings, rules, fences, reload, unsafety, thread);
    thread.soon(
        () -> {
          unsafety.guard(rules.book().canary()::check);
          unsafety.guard(rules::checkCopied);
          unsafety.guard(running::start);
          news.watch(() -> rules.book().coverage(), () -> rules.book().observing());
          thread.every(MissedClassScan.PAUSE, sweep);
          thread.every(MissedClassScan.PAUSE, () -> unsafety.guard(rules::checkCopied));
          thread.every(ConfigFileWatch.PAUSE, new ConfigFileWatch(reload));
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
      unsafety.guard(() -> drivers.begin(yard.coverage()));
    }
    return yard;
  }

  private void addGate(ElectionSection election) {
    ElectionGate gate = Gate.addElection(election.name());
    if (config.mode() == Mode.OFF) {
      gate.endWaiting();
    }
    gates.put(election.name(), gate);
    settlings.put(election.name(), new StartupGrace(election.settle()));
  }

  /** With the mode off there is nothing to wait for, and one wait is enough. */
  private Refusal wrap(Rule rule, Refusal refusal) {
    StartupGrace settling = settlings.get(rule.election());
    return config.mode() == Mode.OFF || settling == null || rule.observe() || rule.action().waits()
        ? refusal
        : settling.before(refusal);
  }

  /**
   * The engine's own loader, those of the backends, which are its children, and those of
   * extensions: a rule must not gate what keeps the lease.
   */
  static boolean isOurs(ClassLoader loader) {
    ClassLoader engine = AgentInstaller.class.getClassLoader();
    return loader == engine || loader.getParent() == engine || ExtensionRegistry.isBehind(loader);
  }
}
