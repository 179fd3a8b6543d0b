package io.portcullis.rules;

import io.portcullis.rules.weave.WeaveFailure;
import io.portcullis.rules.weave.WeaveFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Weave errors of rules that are not in force yet. As long as they are on trial, errors are only
 * collected and block nothing, since the rules before them still stand and will go on to; from then
 * on they are as grave as any.
 */
final class DryRunFailures implements WeaveFailures {
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
