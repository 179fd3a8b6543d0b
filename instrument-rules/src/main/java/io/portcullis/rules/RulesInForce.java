package io.portcullis.rules;

import io.portcullis.rules.coverage.DisarmedRule;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.weave.WeaveFailure;
import io.portcullis.rules.weave.WeaveFailures;
import io.portcullis.rules.weave.Weaver;
import java.lang.instrument.Instrumentation;
import java.util.List;
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
}
