package io.portcullis.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.LeaderElection.LeaderScope;
import io.portcullis.election.machine.Grant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LocalGateTest {
  private final LocalGate gate =
      new LocalGate("node", null, what -> new NotLeadingException("writer", what, null, 0));

  private static Grant hours(long epoch, long hours) {
    return new Grant(epoch, System.nanoTime() + TimeUnit.HOURS.toNanos(hours));
  }

  @Test
  void shutTenureStaysInvalidWhenItsEpochReopens() {
    gate.open(hours(7, 1));
    Tenure first = gate.tenure();
    gate.shut();

    gate.open(hours(7, 1));

    assertThat(first).matches(tenure -> !tenure.isValid());
    assertThat(gate.tenure()).isNotNull().isNotSameAs(first);
  }

  @Test
  void expiredGrantAdmitsNoWork() {
    gate.open(hours(7, -1));

    assertThat(gate.isOpen()).isFalse();
    assertThat(gate.epoch()).isZero();
    assertThat(gate.remainingNanos()).isZero();
    assertThat(gate.isOpenUnder(7)).isFalse();
  }

  @Test
  void eachAdmittedWorkIsCountedOnce() {
    gate.open(hours(7, 1));
    LeaderScope pass = gate.enter();
    assertThat(gate.callsInFlight()).isEqualTo(1);

    pass.close();
    pass.close();

    assertThat(gate.callsInFlight()).isZero();
  }
}
