package io.portcullis.agent.runtime;

import io.portcullis.agent.config.AgentConfig.OnWeaveError;
import io.portcullis.fencing.weave.DriverWeaver.DriverWeaveFailure;
import io.portcullis.rules.weave.WeaveFailures;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ObjIntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies {@code on-weave-error} when a method can't be gated: halts the JVM, or keeps this node
 * from ever leading. Called during class loading, so it must stay cheap.
 */
final class WeaveFailurePolicy implements WeaveFailures {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** Exit code if a method that a rule matches can't be gated, or the agent itself fails. */
  private static final int CANNOT_GATE = 70;

  private final OnWeaveError policy;
  private final ObjIntConsumer<String> fatalExit;
  private final AtomicBoolean failed = new AtomicBoolean();
  private final List<Runnable> precautions = new CopyOnWriteArrayList<>();

  WeaveFailurePolicy(OnWeaveError policy, ObjIntConsumer<String> fatalExit) {
    this.policy = policy;
    this.fatalExit = fatalExit;
  }

  /** Runs {@code precaution} at the first failure, or now if there already was one. */
  void onFailure(Runnable precaution) {
    precautions.add(precaution);
    if (failed.get()) {
      precaution.run();
    }
  }

  @Override
  public boolean failed(WeaveFailure failure) {
    // A class that is already loaded would run ungated, so the policy does not apply.
    if (policy == OnWeaveError.HALT || failure.loaded()) {
      halt(failure.toString());
    }
    LOG.error("portcullis {}; its methods are blocked and this node never leads", failure);
    applyPrecautions();
    return true;
  }

  /** Handles a database driver that can't be woven, so that its writes would not be fenced. */
  void driverFailed(DriverWeaveFailure driver) {
    // A driver that is already loaded would write unfenced, so the policy does not apply.
    if (policy == OnWeaveError.HALT || driver.loaded()) {
      halt(driver.toString());
    }
    LOG.error("portcullis {}; this driver can't be used and this node never leads", driver);
    applyPrecautions();
  }

  /** Runs a step on which gating depends; a failure is handled like a weave error. */
  void guard(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) { // Any error: without this step there is no gate.
      if (policy == OnWeaveError.HALT) {
        halt("the agent failed: " + e);
      }
      LOG.error("portcullis failed; this node never leads", e);
      applyPrecautions();
    }
  }

  private void applyPrecautions() {
    failed.set(true);
    precautions.forEach(Runnable::run);
  }

  private void halt(String why) {
    fatalExit.accept(
        "portcullis: the JVM is stopped, since a method would run ungated: " + why, CANNOT_GATE);
  }
}
