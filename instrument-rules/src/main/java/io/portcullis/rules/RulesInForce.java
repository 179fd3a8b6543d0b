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
 * The rules of a running JVM, and their replacement by others.
 *
 * <p><b>Why a rule that stays is never ungated.</b> The new rules are woven by a weaver of their
 * own beside the old one, into every class that is loaded and every one that comes; a method that
 * both mean has two gates for a while. Only when all of that has gone well is the old weaver taken
 * away, and its classes are woven once more, by the new one alone. The JVM replaces the code of a
 * method as a whole: there is no moment at which it has neither gate. If anything fails before, the
 * new weaver is taken away instead, and the old rules have stood all the time.
 *
 * <p><b>Why rules that are refused change nothing.</b> Before any of that they are tried on all
 * loaded classes, of which none is changed ({@link DryRunWeaver}); what can be found out so, is.
 * What fails only later, in a class that is loaded at that very time or before the JVM's verifier,
 * is left to the rules in force.
 *
 * <p>Calls inside a method end in the code by which they entered. So checkpoints are kept, also
 * those of rules that are gone: a hand-over waits for their calls too.
 *
 * <p>One thread replaces them at a time.
 */
public final class RulesInForce {
  private final Instrumentation instrumentation;
  private final WeaveFailures failures;
  private final Predicate<ClassLoader> ownLoader;

  private volatile InstalledRules book;
  private volatile Weaver weaver;

  /** The last whose copied gates have been tried. */
  private @Nullable Weaver tried;

  /**
   * Puts the first rules in force for classes that are loaded from now on.
   *
   * @param failures what a weave error means
   * @param ownLoader tells the agent's own loaders, whose classes are never woven
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

  /** Weaves what got past the weaver: see {@link Weaver#weaveLoaded}. */
  public void weaveLoaded() {
    weaver.weaveLoaded(instrumentation);
  }

  /**
   * Has the {@link io.portcullis.rules.coverage.Canary} try copied gates, if there are any that it
   * has not tried: to be called again and again, by one thread.
   *
   * @throws IllegalStateException if they do not obey
   */
  public void checkCopied() {
    Weaver now = weaver;
    if (now.hasCopied() && tried != now) {
      tried = now;
      book.canary().checkCopied();
    }
  }

  /**
   * Replaces the rules, all or none.
   *
   * @param next makes the new ones of those in force
   * @return what can't be gated by the new rules, or is gated no longer although its rule is still
   *     there; if there is anything, the old ones stand
   */
  public List<WeaveFailure> replace(Function<InstalledRules, InstalledRules> next) {
    InstalledRules newBook = next.apply(book);
    List<WeaveFailure> foreseen = rehearsed(newBook).failures(book);
    return foreseen.isEmpty() ? exchange(newBook) : foreseen;
  }

  /**
   * Replaces the rules like {@link #replace}, unless that would disarm one of them. For changes
   * that no operator has ordered.
   *
   * <p>What is gated now stays gated. A rule that refuses calls is neither taken away, whatever has
   * become of it so far, nor weakened ({@link InstalledRules#disarmedBy}), nor given another match:
   * classes that are loaded later would be judged by that one alone.
   *
   * @param rules the new ones
   * @param next makes a book of them, following those in force
   */
  public Replacement replaceUnlessDisarming(
      List<Rule> rules, Function<InstalledRules, InstalledRules> next) {
    List<DisarmedRule> weakened = book.disarmedBy(rules);
    if (!weakened.isEmpty()) {
      return new Replacement(List.of(), weakened);
    }
    InstalledRules newBook = next.apply(book);
    DryRunWeaver after = rehearsed(newBook);
    List<WeaveFailure> foreseen = after.failures(book);
    if (!foreseen.isEmpty()) {
      return new Replacement(foreseen, List.of());
    }
    List<DisarmedRule> ungated =
        book.changesIn(rules) ? after.ungatedSince(rehearsed(book)) : List.of();
    return ungated.isEmpty()
        ? new Replacement(exchange(newBook), List.of())
        : new Replacement(List.of(), ungated);
  }

  /**
   * The result of a replacement. If either list has an entry, the old rules stay in force.
   *
   * @param failures as {@link #replace} returns them
   * @param disarmed the rules that would have been taken away or weakened
   */
  public record Replacement(List<WeaveFailure> failures, List<DisarmedRule> disarmed) {
    public Replacement {
      failures = List.copyOf(failures);
      disarmed = List.copyOf(disarmed);
    }
  }

  private DryRunWeaver rehearsed(InstalledRules tried) {
    DryRunWeaver rehearsal = new DryRunWeaver(tried, ownLoader);
    rehearsal.run(instrumentation);
    return rehearsal;
  }

  private List<WeaveFailure> exchange(InstalledRules newBook) {
    DryRunFailures trial = new DryRunFailures(failures);
    Weaver newWeaver = new Weaver(newBook, trial, ownLoader);
    instrumentation.addTransformer(newWeaver, true);
    List<WeaveFailure> failed;
    try {
      newWeaver.weaveLoaded(instrumentation);
      DryRunWeaver.disarmed(newBook, book).forEach(trial::failed);
      failed = trial.end();
    } catch (RuntimeException | Error e) {
      takeAway(newWeaver);
      throw e;
    }
    if (!failed.isEmpty()) {
      takeAway(newWeaver);
      return failed;
    }
    Weaver oldWeaver = weaver;
    weaver = newWeaver;
    book = newBook;
    takeAway(oldWeaver);
    return List.of();
  }

  /** Takes the rules away and puts none in their place: for trials alone. */
  void end() {
    takeAway(weaver);
  }

  private void takeAway(Weaver gone) {
    instrumentation.removeTransformer(gone);
    gone.unweaveLoaded(instrumentation);
  }

  /**
   * Weave errors of rules that are not in force yet. As long as they are on trial, errors are only
   * collected and block nothing, since the rules before them still stand and will go on to; from
   * then on they are as grave as any.
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
     * Ends the trial if nothing has failed. An error comes before that or after it, and is never
     * lost.
     *
     * @return what has failed
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
   * Weaves rules into all loaded classes and throws the outcome away, to learn what would fail. The
   * JVM is asked to show the classes, since what their loaders find may be older or other files; it
   * gets back nothing, so that every method keeps the gates that it has.
   */
  static final class DryRunWeaver implements ClassFileTransformer {
    private final InstalledRules rules;
    private final Queue<WeaveFailure> failed = new ConcurrentLinkedQueue<>();
    private final Weaver weaver;

    /** A rehearsal of {@code rules}, which learn nothing of it. */
    DryRunWeaver(InstalledRules rules, Predicate<ClassLoader> ownLoader) {
      this.rules = rules.unused();
      this.weaver = new Weaver(this.rules, failed::add, ownLoader);
    }

    /** Tries the rules on all loaded classes. */
    void run(Instrumentation instrumentation) {
      instrumentation.addTransformer(this, true);
      try {
        weaver.weaveLoaded(instrumentation);
      } finally {
        instrumentation.removeTransformer(this);
      }
    }

    /**
     * What would fail if these rules came after {@code inForce}; to be asked after {@link #run}.
     */
    List<WeaveFailure> failures(InstalledRules inForce) {
      List<WeaveFailure> all = new ArrayList<>(failed);
      all.addAll(disarmed(rules, inForce));
      return List.copyOf(all);
    }

    /** What {@code earlier} gates in the loaded classes and these rules do not. */
    List<DisarmedRule> ungatedSince(DryRunWeaver earlier) {
      return earlier.rules.ungatedBy(rules);
    }

    /** Most likely slips of the pen, and they would open the gates of what the rules were for. */
    static List<WeaveFailure> disarmed(InstalledRules next, InstalledRules inForce) {
      return next.disarmedSince(inForce).stream().map(DryRunWeaver::disarmed).toList();
    }

    private static WeaveFailure disarmed(Rule rule) {
      String problem =
          "no class that is loaded has such a method, and the rule of this id has gated some so far;"
              + " mend its match, or give it another id if that is meant";
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
