package io.portcullis.agent.start;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.EffectiveValue;
import io.portcullis.agent.config.ElectionSection;
import io.portcullis.agent.config.InvalidConfig;
import io.portcullis.agent.config.Problem;
import io.portcullis.agent.config.RuleSection;
import io.portcullis.agent.node.ReloadOutcome;
import io.portcullis.agent.node.ReloadOutcome.Result;
import io.portcullis.gate.ElectionGate;
import io.portcullis.rules.RulesInForce;
import io.portcullis.rules.coverage.RefusalWrapping;
import io.portcullis.rules.coverage.RuleBook;
import io.portcullis.rules.coverage.RuleListener;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.weave.WeaveFailure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the configuration again and puts its rules in force, all or none. Whatever is wrong with it
 * leaves the rules as they were. What else has changed takes effect with the next start, and is
 * named.
 */
final class Reload {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final AgentConfig started;
  private final Supplier<AgentConfig> reading;
  private final RulesInForce rules;
  private final Map<String, ElectionGate> gates;
  private final RefusalWrapping wrapping;
  private final RuleListener news;
  private final List<Runnable> followers = new CopyOnWriteArrayList<>();

  private volatile List<Path> files;
  private volatile AgentConfig inForce;

  /**
   * Reloading for a node that was started by {@code started}.
   *
   * @param reading reads the configuration anew
   * @param gates the gates of the elections in which this node takes part
   * @param news learns what becomes of rules once they are in force
   */
  Reload(
      AgentConfig started,
      Supplier<AgentConfig> reading,
      RulesInForce rules,
      Map<String, ElectionGate> gates,
      RefusalWrapping wrapping,
      RuleListener news) {
    this.started = started;
    this.reading = reading;
    this.rules = rules;
    this.gates = gates;
    this.wrapping = wrapping;
    this.news = news;
    this.files = started.files();
    this.inForce = started;
  }

  /** The files that the configuration was last read from. */
  List<Path> files() {
    return files;
  }

  /** Has {@code follower} run each time that other rules are in force. */
  void then(Runnable follower) {
    followers.add(follower);
    follower.run();
  }

  /** Does it, and says what came of it; the log is told too. One caller at a time. */
  synchronized ReloadOutcome now() {
    AgentConfig read;
    try {
      read = reading.get();
    } catch (InvalidConfig e) {
      return refused(Result.INVALID, e.problems().stream().map(Problem::toString).toList());
    }
    files = read.files();
    List<String> obstacles = obstacles(read);
    return obstacles.isEmpty() ? replaceBy(read) : refused(Result.NOT_NOW, obstacles);
  }

  /** Every value that holds in this JVM: those of rules may be newer than the others. */
  List<EffectiveValue> effective() {
    List<EffectiveValue> values = new ArrayList<>();
    started.effective().stream().filter(value -> !isOfRules(value)).forEach(values::add);
    inForce.effective().stream().filter(Reload::isOfRules).forEach(values::add);
    return values;
  }

  private List<String> obstacles(AgentConfig read) {
    List<String> obstacles = new ArrayList<>();
    if (read.mode() != started.mode() || !read.whenOff().equals(started.whenOff())) {
      obstacles.add("mode and when-off can't be changed while the JVM runs; start it again");
    } else if (gates.isEmpty()) {
      obstacles.add("with when-off = leader there are no gates; start the JVM again for others");
    }
    read.rules().stream()
        .filter(rule -> !gates.containsKey(rule.election()))
        .map(
            rule ->
                "rule %s is for the election %s, in which this node does not take part yet; start the JVM again"
                    .formatted(rule.id(), rule.election()))
        .forEach(obstacles::add);
    Set<String> next = read.rules().stream().map(RuleSection::id).collect(Collectors.toSet());
    for (ElectionSection election : started.elections()) {
      election.campaign().requiredRules().stream()
          .filter(id -> !next.contains(id))
          .map(
              id ->
                  "rule %s is required by the election %s, which this node may lead; keep it, or start the JVM again"
                      .formatted(id, election.name()))
          .forEach(obstacles::add);
    }
    return obstacles;
  }

  private ReloadOutcome replaceBy(AgentConfig read) {
    List<Rule> next = CheckedRules.rules(read);
    AtomicBoolean told = new AtomicBoolean();
    RuleListener silentBefore =
        (rule, state, hint) -> {
          if (told.get()) {
            news.changed(rule, state, hint);
          }
        };
    RuleBook before = rules.book();
    List<WeaveFailure> failed =
        rules.replace(book -> book.followedBy(next, gates::get, wrapping, silentBefore));
    if (!failed.isEmpty()) {
      return refused(
          Result.INVALID, failed.stream().map(WeaveFailure::toString).distinct().toList());
    }
    told.set(true);
    inForce = read;
    RuleBook after = rules.book();
    String outcome =
        "rules reloaded from "
            + read.file()
            + ": "
            + after.changesSince(before)
            + untilNextStart(read);
    LOG.info("portcullis {}", outcome);
    List<String> removed = after.removedSince(before);
    if (!removed.isEmpty()) {
      LOG.warn("portcullis what the rules {} gated is ungated from now on", removed);
    }
    after
        .coverage()
        .forEach(rule -> LOG.info("portcullis rule={} state={}", rule.id(), rule.state()));
    read.warnings().forEach(warning -> LOG.warn("portcullis {}", warning));
    followers.forEach(Runnable::run);
    return new ReloadOutcome(Result.IN_FORCE, outcome, List.of());
  }

  private static ReloadOutcome refused(Result result, List<String> problems) {
    String why = String.join("; ", problems);
    LOG.error("portcullis reload refused, the rules stay as they were: {}", why);
    return new ReloadOutcome(result, "refused, the rules stay as they were: " + why, problems);
  }

  private String untilNextStart(AgentConfig read) {
    Map<String, String> was = values(started);
    Map<String, String> is = values(read);
    TreeSet<String> changed = new TreeSet<>(was.keySet());
    changed.addAll(is.keySet());
    changed.removeIf(key -> Objects.equals(was.get(key), is.get(key)));
    return changed.isEmpty()
        ? ""
        : "; changed, and not in force before the next start: " + String.join(", ", changed);
  }

  /** All values but those of rules. */
  private static Map<String, String> values(AgentConfig config) {
    Map<String, String> values = new TreeMap<>();
    for (EffectiveValue value : config.effective()) {
      if (!isOfRules(value)) {
        values.put(value.key(), value.value());
      }
    }
    return values;
  }

  private static boolean isOfRules(EffectiveValue value) {
    return value.key().matches("portcullis\\.(rules?|include|stack-traces)\\b.*");
  }
}
