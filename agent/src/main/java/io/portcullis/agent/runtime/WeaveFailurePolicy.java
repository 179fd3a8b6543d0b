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
 * What happens when the gate can't be relied on in this JVM: the JVM is halted, or this node never
 * leads. Called in the middle of loading a class, so it does next to nothing itself.
 */
final class WeaveFailurePolicy implements WeaveFailures {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** A method that a rule means can't be gated, or the agent itself is broken. */
  private static final int CANNOT_GATE = 70;

  private final OnWeaveError policy;
  private final ObjIntConsumer<String> fatalExit;
  private final AtomicBoolean found = new AtomicBoolean();
  private final List<Runnable> precautions = new CopyOnWriteArrayList<>();

  WeaveFailurePolicy(OnWeaveError policy, ObjIntConsumer<String> lastWords) {
    this.policy = policy;
    this.fatalExit = lastWords;
  }

  /**
   * Calls {@code precaution} once the gate can't be relied on, at once if that is known already.
   */
  void onFailure(Runnable precaution) {
    precautions.add(precaution);
    if (found.get()) {
      precaution.run();
    }
  }

  @Override
  public boolean failed(WeaveFailure failure) {
    // A class in use can't be kept from running ungated, whatever the policy.
    if (policy == OnWeaveError.HALT || failure.loaded()) {
      halt(failure.toString());
    }
    LOG.error("portcullis {}; its methods are blocked and this node never leads", failure);
    applyPrecautions();
    return true;
  }

  /** A database driver can't be followed, so that what it writes would not be fenced. */
  void driverFailed(DriverWeaveFailure driver) {
    // One in use can't be kept from writing unfenced, whatever the policy.
    if (policy == OnWeaveError.HALT || driver.loaded()) {
      halt(driver.toString());
    }
    LOG.error("portcullis {}; this driver can't be used and this node never leads", driver);
    applyPrecautions();
  }

  /** Runs a step of the start without which nothing may go on. */
  void guard(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) { // Whatever it is: without this step there is no gate.
      if (policy == OnWeaveError.HALT) {
        halt("the agent can't work: " + e);
      }
      LOG.error("portcullis can't work, and this node never leads", e);
      applyPrecautions();
    }
  }

  private void applyPrecautions() {
    found.set(true);
    precautions.forEach(Runnable::run);
  }

  private void halt(String why) {
    fatalExit.accept(
        "portcullis: the JVM is stopped, since a method would run ungated: " + why, CANNOT_GATE);
  }
}
