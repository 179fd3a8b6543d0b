package io.portcullis.rules.coverage;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.action.Actions;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Self-test of weaving, end to end: a class of the agent, loaded through the JVM and woven by the
 * same weaver as the application's classes, must refuse calls while its gate is shut and run them
 * while it is open. The first check also warms the weaver up, so it should run on its own thread at
 * start-up.
 *
 * <p>There is a target class for each of the two ways to weave. The second one is checked only if
 * rules are woven that way, because the check makes the JVM load all classes needed for it.
 */
public final class Canary {
  private static final String ID = "portcullis-canary";

  private final CanaryRule written = CanaryRule.install(ID, AsmTarget.class.getName(), Map.of());
  private final CanaryRule copied =
      CanaryRule.install(ID + "-copied", AdviceTarget.class.getName(), Map.of("recheck", true));

  private Canary() {}

  static Canary install() {
    return new Canary();
  }

  /** The rules that gate the target classes. */
  public List<InstalledRule> rules() {
    return List.of(written.rule, copied.rule);
  }

  /**
   * Checks gates that the ASM weaver writes. For one thread at a time.
   *
   * @throws IllegalStateException if a woven class does not obey the gate
   */
  public void check() {
    written.check();
  }

  /** The same for gates that are copied from templates. */
  public void checkCopied() {
    copied.check();
  }

  /**
   * Target class with a gate that the ASM weaver writes. Each check defines it in a new loader; the
   * copy in the agent's own loader is never used.
   */
  public static final class AsmTarget implements IntSupplier {
    /** The result of the body, which shows that it ran. */
    static final int RESULT = 7;

    @Override
    public int getAsInt() {
      return RESULT;
    }
  }

  /** Target class like {@link AsmTarget}, with a gate that is copied from a template. */
  public static final class AdviceTarget implements IntSupplier {
    @Override
    public int getAsInt() {
      return AsmTarget.RESULT;
    }
  }

  private record CanaryRule(String type, InstalledRule rule, ElectionGate gate) {
    static CanaryRule install(String id, String type, Map<String, Object> options) {
      Rule rule =
          Rule.of(
              new RuleSpec(id, type + "#getAsInt()", id, Actions.DEFAULT, options, false), false);
      ElectionGate gate = ElectionGate.forTrial(id);
      Checkpoint checkpoint = Gate.addCheckpoint(id, gate, rule.action().refusal());
      return new CanaryRule(
          type, new InstalledRule(rule, checkpoint, (any, state, hint) -> {}), gate);
    }

    void check() {
      IntSupplier target = newTarget();
      if (runs(target)) {
        if (jvmIsExiting()) {
          return;
        }
        throw new IllegalStateException(
            "Weaving does not work: a trial call ran although its gate was shut. Is the weaver added"
                + " to the Instrumentation, and does no other agent undo its work?");
      }
      gate.open(1, System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
      boolean ranWhileOpen = runs(target);
      gate.shut();
      if (!ranWhileOpen) {
        throw new IllegalStateException(
            "Weaving does not work: a trial call was refused although its gate was open.");
      }
      if (rule.checkpoint().callsInFlight() != 0) {
        throw new IllegalStateException(
            "Weaving does not work: a trial call ended without notifying the gate.");
      }
    }

    private IntSupplier newTarget() {
      try {
        return (IntSupplier)
            new CanaryClassLoader().define(type).getDeclaredConstructor().newInstance();
      } catch (ReflectiveOperationException | IOException | LinkageError e) {
        throw new IllegalStateException("Weaving does not work: the trial class can't be used.", e);
      }
    }
  }

  /**
   * Whether the JVM's shutdown has begun. Once its shutdown hooks have run, an exiting JVM no
   * longer calls transformers, so classes that daemon threads still load stay unwoven, and a trial
   * call that runs proves nothing.
   */
  private static boolean jvmIsExiting() {
    try {
      // The thread is not a hook: this only throws if the shutdown has begun.
      Runtime.getRuntime().removeShutdownHook(Thread.currentThread());
      return false;
    } catch (IllegalStateException exiting) {
      return true;
    }
  }

  private static boolean runs(IntSupplier target) {
    try {
      return target.getAsInt() == AsmTarget.RESULT;
    } catch (NotLeaderException refused) {
      return false;
    }
  }

  /** Sees only the gate and the JDK, and not the agent, as the application's loaders do. */
  private static final class CanaryClassLoader extends ClassLoader {
    CanaryClassLoader() {
      super(ID, Gate.class.getClassLoader());
    }

    Class<?> define(String type) throws IOException {
      byte[] classFile = classFile(type.substring(type.lastIndexOf('.') + 1) + ".class");
      return defineClass(type, classFile, 0, classFile.length);
    }

    private static byte[] classFile(String file) throws IOException {
      try (@Nullable InputStream in = Canary.class.getResourceAsStream(file)) {
        if (in == null) {
          throw new IOException(file + " is missing in the agent's jar.");
        }
        return in.readAllBytes();
      }
    }
  }
}
