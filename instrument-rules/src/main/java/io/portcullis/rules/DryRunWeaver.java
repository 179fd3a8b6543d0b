package io.portcullis.rules;

import io.portcullis.rules.coverage.DisarmedRule;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.weave.WeaveFailure;
import io.portcullis.rules.weave.Weaver;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Weaves rules into all loaded classes and throws the outcome away, to learn what would fail. The
 * JVM is asked to show the classes, since what their loaders find may be older or other files; it
 * gets back nothing, so that every method keeps the gates that it has.
 */
final class DryRunWeaver implements ClassFileTransformer {
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

  /** What would fail if these rules came after {@code inForce}; to be asked after {@link #run}. */
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
