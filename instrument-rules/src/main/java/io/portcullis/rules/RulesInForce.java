package io.portcullis.rules;

import io.portcullis.rules.coverage.DisarmedRule;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.weave.WeaveFailures;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import io.portcullis.rules.weave.Weaver;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Holds the rules of a running JVM and replaces them at run time.
 *
 * <p><b>Why a rule that stays is never ungated.</b> A second weaver weaves the new rules beside the
 * old one, into every class that is already loaded and every class that is loaded meanwhile; a
 * method that both match has two gates for a while. Only when all of that has succeeded is the old
 * weaver removed, and its classes are woven again by the new one alone. The JVM replaces the code
 * of a method atomically: there is no moment at which it has neither gate. If anything fails
 * before, the new weaver is removed instead, and the old rules have been in force all the time.
 *
 * <p><b>Why rules that are refused change nothing.</b> Before any of that, the new rules are woven
 * into all loaded classes in a dry run that changes none of them ({@link DryRunWeaver}). It finds
 * every failure that can be found without a change. Failures that happen only later, in a class
 * that is being loaded at that time or in the JVM's verifier, leave the old rules in force.
 *
 * <p>A call inside a method ends in the code through which it entered. So checkpoints are kept,
 * including those of removed rules: a hand-over waits for their calls too.
 *
 * <p>Only one thread at a time may replace the rules.
 */
public final class RulesInForce {
  private final Instrumentation instrumentation;
  private final WeaveFailures failures;
  private final Predicate<ClassLoader> ownLoader;

  private volatile InstalledRules book;
  private volatile Weaver weaver;

  /** The last weaver whose copied gates the canary has checked. */
  private @Nullable Weaver lastChecked;

  /**
   * Puts the first rules in force for classes that are loaded from now on.
   *
   * @param failures decides how to handle weave errors
   * @param ownLoader whether a loader belongs to the agent; its classes are never woven
   */
  public RulesInForce(
      Instrumentation instrumentation,
      InstalledRules first,
      WeaveFailures failures,
      Predicate<ClassLoader> ownLoader) {
    this.instrumentation = instrumentation;
    this.failures = failures;
    this.ownLoader = ownLoader;
    this.book = first;
    this.weaver = new Weaver(first, failures, ownLoader);
    instrumentation.addTransformer(weaver, true);
  }

  /** The rules in force. */
  public InstalledRules book() {
    return book;
  }

  /** Weaves loaded classes that the weaver has missed: see {@link Weaver#weaveLoaded}. */
  public void weaveLoaded() {
    weaver.weaveLoaded(instrumentation);
  }

  /**
   * Runs the {@link io.portcullis.rules.coverage.Canary} for copied gates if the current weaver has
   * any and has not been checked yet. Call it periodically, always from the same thread.
   *
   * @throws IllegalStateException if a copied gate does not work
   */
  public void checkCopied() {
    Weaver now = weaver;
    if (now.hasCopied() && lastChecked != now) {
      lastChecked = now;
      book.canary().checkCopied();
    }
  }

  /**
   * Replaces the rules, all or none.
   *
   * @param next creates the new rules from those in force
   * @param progress may throw an exception to stop; the old rules stay in force
   * @return methods that the new rules can't gate, and rules that still exist but gate nothing any
   *     more; if the list is not empty, the old rules stay in force
   */
  public List<WeaveFailure> replace(
      Function<InstalledRules, InstalledRules> next, ReplacementProgress progress) {
    InstalledRules newBook = next.apply(book);
    DryRunWeaver after = dryRun(newBook, weaver, progress);
    List<WeaveFailure> foreseen = after.failures(book);
    return foreseen.isEmpty() ? exchange(newBook, after.weaver, progress) : foreseen;
  }

  /**
   * Replaces the rules like {@link #replace}, unless that would disarm one of them. For changes
   * that no operator has requested.
   *
   * <p>Methods that are gated now stay gated. A rule that refuses calls is not removed, whatever
   * its state, nor weakened ({@link InstalledRules#disarmedBy}), nor given another match: for
   * classes that are loaded later only the new match would count.
   *
   * @param rules the new rules
   * @param next installs them as the successors of those in force
   * @param progress as for {@link #replace}
   */
  public Replacement replaceUnlessDisarming(
      List<Rule> rules,
      Function<InstalledRules, InstalledRules> next,
      ReplacementProgress progress) {
    List<DisarmedRule> weakened = book.disarmedBy(rules);
    if (!weakened.isEmpty()) {
      return new Replacement(List.of(), weakened);
    }
    InstalledRules newBook = next.apply(book);
    DryRunWeaver after = dryRun(newBook, weaver, progress);
    List<WeaveFailure> foreseen = after.failures(book);
    if (!foreseen.isEmpty()) {
      return new Replacement(foreseen, List.of());
    }
    List<DisarmedRule> ungated =
        book.changesIn(rules)
            ? after.ungatedSince(dryRun(book, after.weaver, progress))
            : List.of();
    return ungated.isEmpty()
        ? new Replacement(exchange(newBook, after.weaver, progress), List.of())
        : new Replacement(List.of(), ungated);
  }

  /**
   * The result of a replacement. If either list has an entry, the old rules stay in force.
   *
   * @param failures as {@link #replace} returns them
   * @param disarmed the rules that would have been removed or weakened
   */
  public record Replacement(List<WeaveFailure> failures, List<DisarmedRule> disarmed) {
    public Replacement {
      failures = List.copyOf(failures);
      disarmed = List.copyOf(disarmed);
    }
  }

  /**
   * Receives the progress of a replacement. It may throw an unchecked exception to stop it until
   * the new rules are in force; after that it is no longer called.
   */
  @FunctionalInterface
  public interface ReplacementProgress {
    ReplacementProgress NONE = (step, done, all) -> {};

    /**
     * Called often.
     *
     * @param done the number of loaded classes checked in this step
     * @param all the number of loaded classes
     */
    void checked(ReplacementStep step, int done, int all);

    /** Steps of a replacement; each checks all loaded classes. */
    enum ReplacementStep {
      /** Tries the rules without effect. */
      TRYING,
      /** Puts the new rules in force. */
      WEAVING
    }
  }

  /** The number of classes that a replacement has to check. */
  public int loadedClasses() {
    return instrumentation.getAllLoadedClasses().length;
  }

  private DryRunWeaver dryRun(InstalledRules rules, Weaver earlier, ReplacementProgress progress) {
    DryRunWeaver dryRun = new DryRunWeaver(rules, earlier, ownLoader);
    dryRun.run(instrumentation, progress);
    return dryRun;
  }

  private List<WeaveFailure> exchange(
      InstalledRules newBook, Weaver earlier, ReplacementProgress progress) {
    DryRunFailures trial = new DryRunFailures(failures);
    Weaver newWeaver = earlier.successor(newBook, trial, ownLoader);
    instrumentation.addTransformer(newWeaver, true);
    List<WeaveFailure> failed;
    try {
      newWeaver.weaveLoaded(
          instrumentation,
          (done, all) -> progress.checked(ReplacementProgress.ReplacementStep.WEAVING, done, all));
      DryRunWeaver.disarmed(newBook, book).forEach(trial::failed);
      failed = trial.end();
    } catch (RuntimeException | Error e) {
      remove(newWeaver);
      throw e;
    }
    if (!failed.isEmpty()) {
      remove(newWeaver);
      return failed;
    }
    Weaver oldWeaver = weaver;
    weaver = newWeaver;
    book = newBook;
    remove(oldWeaver);
    return List.of();
  }

  /** Removes the rules without replacement. For tests only. */
  void end() {
    remove(weaver);
  }

  private void remove(Weaver old) {
    instrumentation.removeTransformer(old);
    old.unweaveLoaded(instrumentation);
  }

  /**
   * Collects weave errors of rules that are not in force yet. During the trial, errors are only
   * collected and block nothing, because the previous rules are still in force and stay so if the
   * trial fails. After the trial, errors have their full effect.
   */
  static final class DryRunFailures implements WeaveFailures {
    private final WeaveFailures inForce;

    /** Null once the trial is over. */
    private final AtomicReference<@Nullable List<WeaveFailure>> collected =
        new AtomicReference<>(List.of());

    /** After the trial, errors go to {@code inForce}. */
    DryRunFailures(WeaveFailures inForce) {
      this.inForce = inForce;
    }

    @Override
    public boolean failed(WeaveFailure failure) {
      List<WeaveFailure> before = collected.get();
      while (before != null) {
        List<WeaveFailure> after = new ArrayList<>(before);
        after.add(failure);
        if (collected.compareAndSet(before, after)) {
          return false;
        }
        before = collected.get();
      }
      return inForce.failed(failure);
    }

    /**
     * Ends the trial if nothing has failed. This is atomic: an error arrives either before the end
     * or after it, and is never lost.
     *
     * @return the errors collected so far
     */
    List<WeaveFailure> end() {
      List<WeaveFailure> failed = collected.get();
      while (failed != null && failed.isEmpty() && !collected.compareAndSet(failed, null)) {
        failed = collected.get();
      }
      return failed == null ? List.of() : List.copyOf(failed);
    }
  }

  /**
   * Weaves rules into all loaded classes and discards the result, to find out what would fail. The
   * class files come from the JVM, because the files that the loaders find may be older or
   * different. The transformer returns null, so every method keeps its present gates.
   */
  static final class DryRunWeaver implements ClassFileTransformer {
    private final InstalledRules rules;
    private final Queue<WeaveFailure> failed = new ConcurrentLinkedQueue<>();
    private final Weaver weaver;

    /** The dry run uses a copy of {@code rules}; their own state does not change. */
    DryRunWeaver(InstalledRules rules, Weaver earlier, Predicate<ClassLoader> ownLoader) {
      this.rules = rules.unused();
      this.weaver = earlier.successor(this.rules, failed::add, ownLoader);
    }

    void run(Instrumentation instrumentation, ReplacementProgress progress) {
      instrumentation.addTransformer(this, true);
      try {
        weaver.weaveLoaded(
            instrumentation,
            (done, all) -> progress.checked(ReplacementProgress.ReplacementStep.TRYING, done, all));
      } finally {
        instrumentation.removeTransformer(this);
      }
    }

    /** What would fail if these rules replaced {@code inForce}. Call it after {@link #run}. */
    List<WeaveFailure> failures(InstalledRules inForce) {
      List<WeaveFailure> all = new ArrayList<>(failed);
      all.addAll(disarmed(rules, inForce));
      return List.copyOf(all);
    }

    /** The rules of {@code earlier} that gate methods of loaded classes which these do not gate. */
    List<DisarmedRule> ungatedSince(DryRunWeaver earlier) {
      return earlier.rules.ungatedBy(rules);
    }

    /**
     * A rule that matched before and matches nothing now is probably a typo; applying it would
     * leave its methods ungated.
     */
    static List<WeaveFailure> disarmed(InstalledRules next, InstalledRules inForce) {
      return next.disarmedSince(inForce).stream().map(DryRunWeaver::disarmed).toList();
    }

    private static WeaveFailure disarmed(Rule rule) {
      String problem =
          "no loaded class has such a method, but the rule with this id has gated some until now;"
              + " fix its match, or give it another id if this is intended";
      return new WeaveFailure(
          rule, rule.match().toString(), problem, true, new IllegalStateException(problem));
    }

    @Override
    public byte @Nullable [] transform(
        @Nullable Module module,
        @Nullable ClassLoader loader,
        @Nullable String className,
        @Nullable Class<?> beingRedefined,
        @Nullable ProtectionDomain domain,
        byte[] classFile) {
      weaver.transform(module, loader, className, beingRedefined, domain, classFile);
      return null;
    }
  }
}
