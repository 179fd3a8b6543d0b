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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A trial of the whole chain: a class of our own, loaded through the JVM and woven by the same
 * weaver as the application's, must refuse while its gate is shut and run while it is open. The
 * first trial also warms Byte Buddy up, so it is best made on a thread of its own at the start.
 */
public final class Canary {
  private static final String ID = "portcullis-canary";
  private static final String BIRD = "io.portcullis.rules.coverage.CanaryBird";

  private final InstalledRule rule;
  private final ElectionGate gate;

  private Canary(InstalledRule rule, ElectionGate gate) {
    this.rule = rule;
    this.gate = gate;
  }

  static Canary install() {
    RuleSpec spec = new RuleSpec(ID, BIRD + "#getAsInt()", ID, Actions.DEFAULT, Map.of(), false);
    Rule rule = Rule.of(spec, false);
    ElectionGate gate = ElectionGate.forTrial(ID);
    Checkpoint checkpoint = Gate.addCheckpoint(ID, gate, rule.action().refusal());
    return new Canary(new InstalledRule(rule, checkpoint, (any, state, hint) -> {}), gate);
  }

  public InstalledRule rule() {
    return rule;
  }

  /**
   * Makes the trial, for one thread at a time.
   *
   * @throws IllegalStateException if a woven class does not obey the gate
   */
  public void check() {
    IntSupplier bird = newBird();
    if (runs(bird)) {
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

  private static boolean runs(IntSupplier bird) {
    try {
      return bird.getAsInt() == CanaryBird.SONG;
    } catch (NotLeaderException refused) {
      return false;
    }
  }

  private static IntSupplier newBird() {
    try {
      return (IntSupplier) new Cage().birdType().getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | IOException | LinkageError e) {
      throw new IllegalStateException("Weaving does not work: the trial class can't be used.", e);
    }
  }

  /** A loader as far from the agent's as the application's are: it sees the gate and the JDK. */
  private static final class Cage extends ClassLoader {
    Cage() {
      super(ID, Gate.class.getClassLoader());
    }

    Class<?> birdType() throws IOException {
      byte[] classFile = classFile();
      return defineClass(BIRD, classFile, 0, classFile.length);
    }

    private static byte[] classFile() throws IOException {
      try (@Nullable InputStream in = Canary.class.getResourceAsStream("CanaryBird.class")) {
        if (in == null) {
          throw new IOException("CanaryBird.class is missing in the agent's jar.");
        }
        return in.readAllBytes();
      }
    }
  }
}
