package io.portcullis.benchmarks.classes;

import io.portcullis.gate.ElectionGate;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.InstalledRules.RefusalWrapping;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.weave.Weaver;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The weaver as a separate agent that measures the time spent in it, for one thread. It measures
 * that thread's processor time: other load on the machine is not counted.
 */
public final class TimedWeaver implements ClassFileTransformer {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Number of repetitions between two clock reads, for work that takes less time than reading the
   * clock.
   */
  private static final int TIMES_IF_CHEAP = 20;

  private static long nanos;
  private static int classes;

  private final Weaver weaver;
  private final int times;

  private TimedWeaver(Weaver weaver, int times) {
    this.weaver = weaver;
    this.times = times;
  }

  public static void premain(String setting, Instrumentation instrumentation) {
    LoadingSetting parsed = LoadingSetting.parse(setting);
    List<Rule> rules = rules(parsed);
    InstalledRules book =
        InstalledRules.install(
            rules, ElectionGate::forTrial, RefusalWrapping.NONE, (rule, state, hint) -> {});
    Weaver weaver =
        new Weaver(
            book,
            failure -> {
              throw new IllegalStateException(failure.toString());
            },
            TimedWeaver.class.getClassLoader()::equals);
    boolean cheap = parsed.kind() == RuleKind.EXACT || parsed.rules() == 0;
    instrumentation.addTransformer(new TimedWeaver(weaver, cheap ? TIMES_IF_CHEAP : 1), true);
  }

  private static List<Rule> rules(LoadingSetting setting) {
    return IntStream.range(0, setting.rules())
        .mapToObj(
            i ->
                new RuleSpec(
                    "rule-" + i, setting.kind().pattern(i), "writer", "throw", Map.of(), false))
        .map(spec -> Rule.of(spec, false))
        .toList();
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> beingRedefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    long before = THREADS.getCurrentThreadCpuTime();
    long start = THREADS.getCurrentThreadCpuTime();
    byte[] woven = null;
    for (int i = 0; i < times; i++) {
      woven = weaver.transform(module, loader, className, beingRedefined, domain, classFile);
    }
    if (className != null && className.startsWith("com/acme/made/")) {
      long clock = start - before; // Reading the clock takes time, too.
      nanos += (THREADS.getCurrentThreadCpuTime() - start - clock) / times;
      classes++;
    }
    return woven;
  }

  static int classes() {
    return classes;
  }

  static double nanosPerClass() {
    return (double) nanos / classes;
  }
}
