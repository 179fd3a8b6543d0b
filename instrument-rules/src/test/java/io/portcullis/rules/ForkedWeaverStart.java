package io.portcullis.rules;

import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.InstalledRules.RefusalWrapping;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.weave.Weaver;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The program that the {@link ForkedAgent} starts: {@code shut|open|idle|late|checking:pattern}. A
 * pattern after {@code recheck:} is that of a rule with recheck, which Byte Buddy weaves.
 */
public final class ForkedWeaverStart implements BiConsumer<String, Instrumentation> {
  private static final int WEAVE_ERROR = 70;
  private static final String RECHECK = "recheck:";

  @Override
  public void accept(String argument, Instrumentation instrumentation) {
    boolean recheck = argument.contains(RECHECK);
    String[] words = argument.replace(RECHECK, "").split(":", 2);
    ElectionGate gate = Gate.addElection("writer");
    RuleSpec spec =
        new RuleSpec(
            "forked",
            words[1],
            "writer",
            "throw",
            recheck ? Map.of("recheck", true) : Map.of(),
            false);
    InstalledRules book =
        InstalledRules.install(
            List.of(Rule.of(spec, false)),
            election -> gate,
            RefusalWrapping.NONE,
            (rule, state, hint) -> {});
    Weaver weaver =
        new Weaver(
            book,
            failure -> {
              Runtime.getRuntime().halt(WEAVE_ERROR);
              return true;
            },
            getClass().getClassLoader()::equals);
    if (words[0].equals("late")) {
      load(words[1].substring(0, words[1].indexOf('#')));
    }
    instrumentation.addTransformer(weaver, true);
    if (words[0].equals("late")) {
      weaver.weaveLoaded(instrumentation);
    }
    if (words[0].equals("open")) {
      gate.open(1, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    }
    if (!words[0].equals("idle")) {
      Runnable check = book.canary()::check;
      Thread warmUp = new Thread(words[0].equals("checking") ? forever(check) : check, "warm-up");
      warmUp.setDaemon(true);
      warmUp.start();
    }
  }

  private static Runnable forever(Runnable check) {
    return () -> {
      while (true) {
        check.run();
      }
    };
  }

  private static void load(String className) {
    try {
      Class.forName(className, true, ClassLoader.getSystemClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
