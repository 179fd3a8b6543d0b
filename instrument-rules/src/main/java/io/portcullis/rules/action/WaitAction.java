package io.portcullis.rules.action;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.WeaveSpec.MethodKind;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.time.Duration;
import java.util.Set;

/**
 * Waits for the gate to open, and throws like {@link ThrowAction} if the timeout expires first. An
 * interrupt ends the wait; the thread's interrupt flag stays set.
 */
final class WaitAction implements Action {
  static final String NAME = "wait";

  private static final String TIMEOUT = "timeout";
  private static final Set<String> KNOWN = Set.of(TIMEOUT, "exception", "recheck", "interrupt");
  private static final Duration MAX_LENGTH = Duration.ofDays(365);

  private final Duration timeout;
  private final ThrowAction afterwards;

  private WaitAction(Duration timeout, ThrowAction afterwards) {
    this.timeout = timeout;
    this.afterwards = afterwards;
  }

  static WaitAction of(ActionOptions options) {
    options.allowOnly(NAME, KNOWN);
    return new WaitAction(timeout(options), ThrowAction.readFrom(options));
  }

  private static Duration timeout(ActionOptions options) {
    Duration timeout = options.duration(TIMEOUT);
    if (!options.isSet(TIMEOUT)) {
      options.refuse(TIMEOUT, "is missing, and no call may wait forever", "Write timeout = 30s");
    } else if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
      options.refuse(TIMEOUT, "is not positive", "Write how long to wait, such as 30s");
    } else if (timeout != null && timeout.compareTo(MAX_LENGTH) > 0) {
      options.refuse(TIMEOUT, "is longer than a year", "Write how long to wait, such as 30s");
    }
    return timeout == null ? Duration.ZERO : timeout;
  }

  @Override
  public boolean mayThrow(MethodShape method) {
    return true;
  }

  @Override
  public String text() {
    long millis = timeout.toMillis();
    String length = millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    return afterwards.textAs(NAME + " " + length);
  }

  @Override
  public boolean waits() {
    return true;
  }

  /** The timeout counts from the first refusal, however often the gate opens and shuts after it. */
  @Override
  public Refusal refusal() {
    Refusal refusal = afterwards.refusal();
    return (checkpoint, sinceNanos) ->
        hasOpened(checkpoint, sinceNanos)
            ? Verdict.ASK_AGAIN
            : refusal.refuse(checkpoint, sinceNanos);
  }

  private boolean hasOpened(Checkpoint checkpoint, long sinceNanos) {
    long leftNanos = timeout.toNanos() - (System.nanoTime() - sinceNanos);
    try {
      return leftNanos > 0 && checkpoint.election().awaitOpen(leftNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void checkForConstructors() throws CannotGateException {
    afterwards.checkForConstructors();
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    if (MethodKind.isSynchronized(method)) {
      throw new CannotGateException(
          "%s#%s is synchronized, and a waiting call would block all others that need its monitor."
                  .formatted(declaring.name(), method.signature())
              + " Use throw, or name the methods that call it.");
    }
    return afterwards.form(declaring, method, classFiles);
  }
}
