package io.portcullis.agent.runtime;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.AgentConfig.Activation;
import io.portcullis.agent.config.AgentConfig.EffectiveValue;
import io.portcullis.agent.config.ElectionSection;
import io.portcullis.agent.config.RuleSection;
import io.portcullis.agent.config.hocon.ConfigProblems.ConfigProblem;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.agent.node.NodeView.PendingReload;
import io.portcullis.agent.node.ReloadOutcome;
import io.portcullis.agent.node.ReloadOutcome.Result;
import io.portcullis.agent.runtime.ReloadProgress.ReloadTimeoutException;
import io.portcullis.gate.ElectionGate;
import io.portcullis.rules.RulesInForce;
import io.portcullis.rules.coverage.DisarmedRule;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.InstalledRules.RefusalWrapping;
import io.portcullis.rules.coverage.InstalledRules.RuleListener;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads the configuration and applies its rules, all or none. If the configuration is invalid,
 * the rules stay unchanged. Other changed values take effect at the next start and are named in the
 * outcome.
 *
 * <p><b>Why a changed file never opens a gate by itself.</b> An operator's reload command may
 * remove rules. A change that only the {@link ConfigFileWatcher} detected may not: a copy onto a
 * full disk, a failed template or a missing mount empties files too. If such a change would disarm
 * a rule ({@link RulesInForce#replaceUnlessDisarming}), no part of it is applied. It is logged and
 * reported ({@link #pending}) until an operator runs the reload command or the files are corrected.
 */
final class ConfigReloader {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final AgentConfig started;
  private final Supplier<AgentConfig> configReader;
  private final RulesInForce rules;
  private final Map<String, ElectionGate> gates;
  private final RefusalWrapping wrapping;
  private final RuleListener ruleListener;
  private final List<Runnable> reloadListeners = new CopyOnWriteArrayList<>();

  private volatile List<Path> files;
  private volatile AgentConfig inForce;
  private volatile @Nullable PendingReload pending;

  /**
   * Creates a reloader for a node that was started with {@code started}.
   *
   * @param configReader reads the configuration again
   * @param gates the gates of the elections in which this node takes part
   * @param ruleListener receives state changes of rules that are in force
   */
  ConfigReloader(
      AgentConfig started,
      Supplier<AgentConfig> configReader,
      RulesInForce rules,
      Map<String, ElectionGate> gates,
      RefusalWrapping wrapping,
      RuleListener ruleListener) {
    this.started = started;
    this.configReader = configReader;
    this.rules = rules;
    this.gates = gates;
    this.wrapping = wrapping;
    this.ruleListener = ruleListener;
    this.files = started.files().all();
    this.inForce = started;
  }

  /** The files that the configuration was last read from. */
  List<Path> files() {
    return files;
  }

  /** Runs {@code listener} now and after each reload that changed the rules in force. */
  void onReload(Runnable listener) {
    reloadListeners.add(listener);
    listener.run();
  }

  /** The detected file change that has not been applied, null if there is none. */
  @Nullable PendingReload pending() {
    return pending;
  }

  /** Reloads on an operator's command; logs and returns the outcome. One caller at a time. */
  synchronized ReloadOutcome reloadNow() {
    return reload("reload: ", this::replaceBy);
  }

  /**
   * Reloads after a file change, unless that would disarm a rule.
   *
   * @param changed the files that differ from those last applied
   */
  synchronized void afterChangeOf(List<Path> changed) {
    List<String> names = changed.stream().map(Path::toString).sorted().toList();
    ReloadOutcome outcome =
        reload(
            String.join(", ", names) + " changed, ", read -> replaceUnlessDisarming(read, names));
    if (outcome.result() == Result.INVALID || outcome.result() == Result.NEEDS_RESTART) {
      pending =
          new PendingReload(
              Instant.now(),
              names,
              List.of(),
              "The change was refused and the rules are unchanged. See the log for the reason.");
    }
  }

  private ReloadOutcome reload(String cause, Function<AgentConfig, ReloadOutcome> replacement) {
    AgentConfig read;
    try {
      read = configReader.get();
    } catch (InvalidConfigException e) {
      return refused(Result.INVALID, e.problems().stream().map(ConfigProblem::toString).toList());
    }
    files = read.files().all();
    List<String> obstacles = obstacles(read);
    if (!obstacles.isEmpty()) {
      return refused(Result.NEEDS_RESTART, obstacles);
    }
    LOG.info(
        "portcullis {}trying {} rules on {} loaded classes",
        cause,
        read.protection().rules().size(),
        String.format(Locale.ROOT, "%,d", rules.loadedClasses()));
    try {
      return replacement.apply(read);
    } catch (ReloadTimeoutException e) {
      return refused(Result.INVALID, List.of(String.valueOf(e.getMessage())));
    }
  }

  /** All effective values of this JVM. Values of rules may be newer than the others. */
  List<EffectiveValue> effective() {
    List<EffectiveValue> values = new ArrayList<>();
    started.files().effective().stream().filter(value -> !isOfRules(value)).forEach(values::add);
    inForce.files().effective().stream().filter(ConfigReloader::isOfRules).forEach(values::add);
    return values;
  }

  private List<String> obstacles(AgentConfig read) {
    List<String> obstacles = new ArrayList<>();
    Activation next = read.activation();
    if (next.mode() != started.activation().mode()
        || !next.whenOff().equals(started.activation().whenOff())) {
      obstacles.add("mode and when-off can't be changed while the JVM runs; restart the JVM");
    } else if (gates.isEmpty()) {
      obstacles.add("with when-off = leader there are no gates; restart the JVM to apply rules");
    }
    read.protection().rules().stream()
        .filter(rule -> !gates.containsKey(rule.election()))
        .map(
            rule ->
                "rule %s is for the election %s, in which this node does not take part yet; restart the JVM"
                    .formatted(rule.id(), rule.election()))
        .forEach(obstacles::add);
    Set<String> rules =
        read.protection().rules().stream().map(RuleSection::id).collect(Collectors.toSet());
    for (ElectionSection election : started.elections()) {
      election.campaign().requiredRules().stream()
          .filter(id -> !rules.contains(id))
          .map(
              id ->
                  "rule %s is required by the election %s, which this node may lead; keep it, or restart the JVM"
                      .formatted(id, election.name()))
          .forEach(obstacles::add);
    }
    return obstacles;
  }

  private ReloadOutcome replaceBy(AgentConfig read) {
    NextRules next = new NextRules(RuleFactory.rules(read));
    InstalledRules before = rules.book();
    return outcome(read, before, next, rules.replace(next::follow, progress()));
  }

  private static ReloadProgress progress() {
    return new ReloadProgress(text -> LOG.info("portcullis {}", text), System::nanoTime);
  }

  private ReloadOutcome replaceUnlessDisarming(AgentConfig read, List<String> changed) {
    NextRules next = new NextRules(RuleFactory.rules(read));
    InstalledRules before = rules.book();
    RulesInForce.Replacement replacement =
        rules.replaceUnlessDisarming(next.list, next::follow, progress());
    return replacement.disarmed().isEmpty()
        ? outcome(read, before, next, replacement.failures())
        : awaitingCommand(replacement.disarmed(), changed);
  }

  /**
   * The rules that a reload is about to apply. State changes are passed to the listener only once
   * the rules are in force.
   */
  private final class NextRules {
    final List<Rule> list;
    private final AtomicBoolean inForce = new AtomicBoolean();

    NextRules(List<Rule> list) {
      this.list = list;
    }

    InstalledRules follow(InstalledRules book) {
      return book.followedBy(
          list,
          gates::get,
          wrapping,
          (rule, state, hint) -> {
            if (inForce.get()) {
              ruleListener.changed(rule, state, hint);
            }
          });
    }
  }

  private ReloadOutcome outcome(
      AgentConfig read, InstalledRules before, NextRules next, List<WeaveFailure> failed) {
    if (!failed.isEmpty()) {
      return refused(
          Result.INVALID, failed.stream().map(WeaveFailure::toString).distinct().toList());
    }
    next.inForce.set(true);
    inForce = read;
    pending = null;
    InstalledRules after = rules.book();
    String outcome =
        "rules reloaded from "
            + read.files().main()
            + ": "
            + after.changesSince(before)
            + untilNextStart(read);
    LOG.info("portcullis {}", outcome);
    List<String> removed = after.removedSince(before);
    if (!removed.isEmpty()) {
      LOG.warn("portcullis methods gated by the removed rules {} are no longer gated", removed);
    }
    after
        .coverage()
        .forEach(rule -> LOG.info("portcullis rule={} state={}", rule.id(), rule.state()));
    read.files().warnings().forEach(warning -> LOG.warn("portcullis {}", warning));
    reloadListeners.forEach(Runnable::run);
    return new ReloadOutcome(Result.IN_FORCE, outcome, List.of());
  }

  private ReloadOutcome awaitingCommand(List<DisarmedRule> disarmed, List<String> changed) {
    List<String> problems = disarmed.stream().map(DisarmedRule::toString).toList();
    String why =
        ("%s changed and would disarm rules that are in force: %s. The change is not applied until"
                + " an operator runs 'java -jar portcullis-agent.jar reload <host:port>', sends POST"
                + " /api/reload, or calls reload() of the MBean io.portcullis:type=Agent. If the"
                + " change is a mistake, correct the file.")
            .formatted(String.join(", ", changed), String.join("; ", problems));
    LOG.error("portcullis reload needs an admin command, the rules are unchanged: {}", why);
    pending =
        new PendingReload(
            Instant.now(), changed, disarmed.stream().map(DisarmedRule::id).toList(), why);
    return new ReloadOutcome(Result.NEEDS_COMMAND, why, problems);
  }

  private static ReloadOutcome refused(Result result, List<String> problems) {
    String why = String.join("; ", problems);
    LOG.error("portcullis reload refused, the rules are unchanged: {}", why);
    return new ReloadOutcome(result, "refused, the rules are unchanged: " + why, problems);
  }

  private String untilNextStart(AgentConfig read) {
    Map<String, String> was = values(started);
    Map<String, String> is = values(read);
    TreeSet<String> changed = new TreeSet<>(was.keySet());
    changed.addAll(is.keySet());
    changed.removeIf(key -> Objects.equals(was.get(key), is.get(key)));
    return changed.isEmpty()
        ? ""
        : "; changed values that take effect at the next start: " + String.join(", ", changed);
  }

  /** All values except those of rules. */
  private static Map<String, String> values(AgentConfig config) {
    Map<String, String> values = new TreeMap<>();
    for (EffectiveValue value : config.files().effective()) {
      if (!isOfRules(value)) {
        values.put(value.key(), value.value());
      }
    }
    return values;
  }

  private static boolean isOfRules(EffectiveValue value) {
    return value.key().matches("portcullis\\.(rules?|rule-sets|stack-traces)\\b.*");
  }
}
