package io.portcullis.rules.coverage;

import io.portcullis.gate.Checkpoint;
import io.portcullis.rules.coverage.InstalledRules.RuleListener;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** State of one rule: its checkpoint, the methods woven so far, and hints for the operator. */
public final class InstalledRule {
  private static final int MAX_NOTES = 5;

  private final Rule rule;
  private final Checkpoint checkpoint;
  private final RuleListener listener;

  /** Number of woven methods of each class seen; 0 if there was none to weave, or if it failed. */
  private final Map<WovenClass, Integer> methodsByClass = new ConcurrentHashMap<>();

  /** The woven methods, by name and descriptor; kept in a dry run only, null otherwise. */
  private final @Nullable Map<WovenClass, Set<String>> gatedByClass;

  private final AtomicReference<RuleState> reported = new AtomicReference<>(RuleState.PENDING);

  /** Problems besides the classes' own hints; the listener is notified of each one. */
  private final Set<String> notes = new CopyOnWriteArraySet<>();

  private final AtomicBoolean hiddenReported = new AtomicBoolean();

  private volatile boolean classSeen;
  private volatile String nearMisses = "";
  private volatile String withoutBody = "";
  private volatile String hidden = "";
  private volatile @Nullable String failure;

  public InstalledRule(Rule rule, Checkpoint checkpoint, RuleListener listener) {
    this(rule, checkpoint, listener, null);
  }

  private InstalledRule(
      Rule rule,
      Checkpoint checkpoint,
      RuleListener listener,
      @Nullable Map<WovenClass, Set<String>> gatedByClass) {
    this.rule = rule;
    this.checkpoint = checkpoint;
    this.listener = listener;
    this.gatedByClass = gatedByClass;
  }

  /** The same rule at the same checkpoint, not yet woven, which records the methods it gates. */
  InstalledRule onTrial() {
    return new InstalledRule(rule, checkpoint, (any, state, hint) -> {}, new ConcurrentHashMap<>());
  }

  public Rule rule() {
    return rule;
  }

  public int slot() {
    return checkpoint.slot();
  }

  public Checkpoint checkpoint() {
    return checkpoint;
  }

  /** A class woven again counts once. */
  public void armed(ClassLoader loader, String className, Set<String> methods, String hint) {
    WovenClass woven = WovenClass.of(loader, className);
    methodsByClass.put(woven, methods.size());
    if (gatedByClass != null) {
      gatedByClass.put(woven, Set.copyOf(methods));
    }
    if (!hint.isEmpty()) {
      withoutBody = hint;
    }
    classSeen = true;
    report();
  }

  /**
   * A class that has nothing to gate itself, though classes loaded later may. Not worth a warning:
   * the hint is shown in the status, and in the log message on rules that stay pending for long.
   */
  public void noBodyYet(ClassLoader loader, String className, String hint) {
    methodsByClass.put(WovenClass.of(loader, className), 0);
    if (!classSeen) {
      nearMisses = hint;
    }
    report();
  }

  public void nothingFound(ClassLoader loader, String className, String hint) {
    methodsByClass.put(WovenClass.of(loader, className), 0);
    nearMisses = hint;
    classSeen = true;
    report();
  }

  public void failed(ClassLoader loader, String className, String problem) {
    methodsByClass.put(WovenClass.of(loader, className), 0);
    failure = problem;
    report();
  }

  /** A class that can't be woven because it is hidden. Only the first one is reported per rule. */
  public void hiddenFound(String className) {
    if (hiddenReported.compareAndSet(false, true)) {
      hidden =
          "%s is a hidden class, which can't be woven, and is not gated: name the methods that call"
                  .formatted(className)
              + " it";
      classSeen = true;
      reportAgain();
    }
  }

  /** Adds a hint for the operator; those after the fifth are dropped. */
  public void note(String text) {
    if (notes.size() < MAX_NOTES && notes.add(text)) {
      reportAgain();
    }
  }

  private void reportAgain() {
    RuleState now = state();
    reported.set(now);
    notifyListener(now);
  }

  /** Whether the rule has been applied to this class, with any result. */
  public boolean hasSeen(ClassLoader loader, String className) {
    return methodsByClass.containsKey(WovenClass.of(loader, className));
  }

  /**
   * The state and the counts of this rule.
   *
   * @param dispensable whether another rule of its group is armed
   */
  RuleCoverage coverage(boolean dispensable) {
    RuleState state = state();
    return new RuleCoverage(
        rule.id(),
        rule.match().toString(),
        rule.election(),
        rule.action().text(),
        rule.spec().observe(),
        dispensable && state == RuleState.PENDING && notes.isEmpty() && hidden.isEmpty()
            ? RuleState.NOT_NEEDED
            : state,
        wovenMethods(),
        hint(),
        checkpoint.passed(),
        checkpoint.blocked(),
        checkpoint.observed(),
        checkpoint.slowed(),
        checkpoint.refusedCallers());
  }

  /**
   * The methods that this rule gates in a dry run and that {@code after} does not, if there are
   * any. Without such a method another match still counts as disarming: which methods it leaves out
   * in classes that are not loaded yet is unknown.
   */
  Optional<DisarmedRule> ungatedBy(InstalledRule after) {
    Map<WovenClass, Set<String>> still = after.gatedOnTrial();
    Set<String> lost = new TreeSet<>();
    gatedOnTrial()
        .forEach(
            (woven, methods) ->
                methods.stream()
                    .filter(method -> !still.getOrDefault(woven, Set.of()).contains(method))
                    .forEach(method -> lost.add(woven.name() + "#" + method)));
    return lost.isEmpty()
        ? DisarmedRule.rematching(rule, after.rule)
        : DisarmedRule.ungating(rule.id(), lost);
  }

  private Map<WovenClass, Set<String>> gatedOnTrial() {
    if (gatedByClass == null) {
      throw new IllegalStateException("rule " + rule.id() + " is not in a dry run");
    }
    return gatedByClass;
  }

  RuleState state() {
    if (failure != null) {
      return RuleState.FAILED;
    }
    if (wovenMethods() > 0) {
      return RuleState.ARMED;
    }
    return classSeen ? RuleState.NO_METHOD : RuleState.PENDING;
  }

  private String hint() {
    return Stream.concat(Stream.of(hintOfClasses(), hidden), notes.stream())
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private String hintOfClasses() {
    String problem = failure;
    if (problem != null) {
      return problem;
    }
    return state() == RuleState.ARMED ? withoutBody : nearMisses;
  }

  private long wovenMethods() {
    methodsByClass.keySet().removeIf(woven -> woven.loader().refersTo(null));
    return methodsByClass.values().stream().mapToLong(Integer::longValue).sum();
  }

  private void report() {
    RuleState now = state();
    if (reported.getAndSet(now) != now) {
      notifyListener(now);
    }
  }

  private void notifyListener(RuleState now) {
    try {
      listener.changed(rule, now, hint());
    } catch (RuntimeException | Error broken) {
      reported.set(RuleState.PENDING); // So the next event of this rule notifies it again.
    }
  }

  /** Key of a class: its name and its loader, which is held weakly. */
  private record WovenClass(String name, int loaderHash, WeakReference<ClassLoader> loader) {
    static WovenClass of(ClassLoader loader, String name) {
      return new WovenClass(name, System.identityHashCode(loader), new WeakReference<>(loader));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      ClassLoader mine = loader.get();
      return other instanceof WovenClass that
          && mine != null
          && that.loader.refersTo(mine)
          && name.equals(that.name);
    }

    @Override
    public int hashCode() {
      return 31 * name.hashCode() + loaderHash;
    }
  }
}
