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
 * A trial of the whole chain: a class of our own, loaded through the JVM and woven by the same
 * weaver as the application's, must refuse while its gate is shut and run while it is open. The
 * first trial also warms the weaver up, so it is best made on a thread of its own at the start.
 *
 * <p>There is a bird for each of the two ways to weave. The second is let out only where rules are
 * woven that way: it would make the JVM load all that is needed for it.
 */
public final class Canary {
  private static final String ID = "portcullis-canary";

  private final CanaryRule written =
      CanaryRule.install(ID, CanaryTarget.class.getSimpleName(), Map.of());
  private final CanaryRule copied =
      CanaryRule.install(
          ID + "-copied", AdviceCanaryTarget.class.getSimpleName(), Map.of("recheck", true));

  private Canary() {}

  static Canary install() {
    return new Canary();
  }

  /** Those by which the birds are woven. */
  public List<InstalledRule> rules() {
    return List.of(written.rule, copied.rule);
  }

  /**
   * Tries gates that are written by hand, for one thread at a time.
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

  /** One class and its gate. */
  private record CanaryRule(String type, InstalledRule rule, ElectionGate gate) {
    static CanaryRule install(String id, String simpleName, Map<String, Object> options) {
      String type = Canary.class.getPackageName() + "." + simpleName;
      Rule rule =
          Rule.of(
              new RuleSpec(id, type + "#getAsInt()", id, Actions.DEFAULT, options, false), false);
      ElectionGate gate = ElectionGate.forTrial(id);
      Checkpoint checkpoint = Gate.addCheckpoint(id, gate, rule.action().refusal());
      return new CanaryRule(
          type, new InstalledRule(rule, checkpoint, (any, state, hint) -> {}), gate);
    }

    void check() {
      IntSupplier bird = fresh();
      if (runs(bird)) {
        if (jvmIsExiting()) {
          return;
        }
        throw new IllegalStateException(
            "Weaving does not work: a trial call ran although its gate was shut. Is the weaver added"
                + " to the Instrumentation, and does no other agent undo its work?");
      }
      gate.open(1, System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
      boolean ranWhileOpen = runs(bird);
      gate.shut();
      if (!ranWhileOpen) {
        throw new IllegalStateException(
            "Weaving does not work: a trial call was refused although its gate was open.");
      }
      if (rule.checkpoint().callsInFlight() != 0) {
        throw new IllegalStateException(
            "Weaving does not work: a trial call ended without telling the gate.");
      }
    }

    private IntSupplier fresh() {
      try {
        return (IntSupplier)
            new CanaryClassLoader().define(type).getDeclaredConstructor().newInstance();
      } catch (ReflectiveOperationException | IOException | LinkageError e) {
        throw new IllegalStateException("Weaving does not work: the trial class can't be used.", e);
      }
    }
  }

  /**
   * Whether the JVM's shutdown has begun. Once its shutdown hooks have run, an exiting JVM asks no
   * transformer any more, so the class files that daemon threads still load stay as they are, and a
   * trial call that runs proves nothing.
   */
  private static boolean jvmIsExiting() {
    try {
      Runtime.getRuntime().removeShutdownHook(Thread.currentThread()); // Never was one.
      return false;
    } catch (IllegalStateException exiting) {
      return true;
    }
  }

  private static boolean runs(IntSupplier bird) {
    try {
      return bird.getAsInt() == CanaryTarget.SONG;
    } catch (NotLeaderException refused) {
      return false;
    }
  }

  /** A loader as far from the agent's as the application's are: it sees the gate and the JDK. */
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
