package io.portcullis.election.machine;

import static io.portcullis.election.machine.Puppet.OTHER;
import static io.portcullis.election.machine.Puppet.SELF;
import static io.portcullis.election.machine.Puppet.leading;
import static io.portcullis.election.machine.Puppet.record;
import static io.portcullis.election.machine.Puppet.released;
import static io.portcullis.election.machine.Puppet.standby;
import static io.portcullis.election.machine.Puppet.timing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.portcullis.election.config.Pace;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a store shows unasked. */
class ShownTest {

  /** Asks so seldom that it does not matter. */
  private static Puppet patient() {
    return standby(timing().whenHeld(Pace.steady(Duration.ofSeconds(60), 0)));
  }

  @Test
  void aStandbyWaitsOutARecordFromTheMomentItWasShown() {
    Puppet node = patient().sees(record(OTHER, 7, "v1"));
    LeaseRecord renewed = record(OTHER, 7, "v2");

    assertThat(node.after(4_000).shown(renewed).asked()).isNull();

    assertThat(node.after(9_999).tick().asked()).isNull();
    assertThat(node.after(1).tick().asked())
        .asInstanceOf(type(Request.Acquire.class))
        .extracting(asked -> asked.claim().waitedOut())
        .isEqualTo(renewed.stamp());
  }

  @Test
  void aStandbyAsksAtOnceWhenItIsShownARelease() {
    Puppet node = patient().sees(record(OTHER, 7, "v1"));

    node.after(1_000).shown(released(OTHER, 7, "v2")).tick();

    assertThat(node.asked()).isInstanceOf(Request.Acquire.class);
  }

  @Test
  void aReleaseOfALostPastIsNotBelieved() {
    Puppet node = patient().sees(record(OTHER, 7, "v1"));

    node.after(1_000).shown(released(OTHER, 6, "v0")).tick();

    assertThat(node.asked()).isNull();
  }

  @Test
  void whileAQuestionIsUnderWayAStandbyLooksAgainAfterItsAnswer() {
    Puppet node = standby().shown(record(OTHER, 7, "v2")).sees(record(OTHER, 7, "v1"));

    assertThat(node.after(10).tick().asked()).isInstanceOf(Request.Acquire.class);
  }

  @Test
  void aLeaderThatIsShownAnotherHolderShutsAtOnce() {
    Puppet node = leading(7).after(1).shown(record(OTHER, 8, "v9"));

    assertThat(node.shut()).isTrue();
    assertThat(node.role()).isInstanceOf(Standby.class);
  }

  @Test
  void soDoesOneWithARenewalUnderWay() {
    Puppet node = leading(7).after(5_000).tick();
    assertThat(node.asked()).isInstanceOf(Request.Renew.class);

    assertThat(node.shown(record(OTHER, 8, "v9")).shut()).isTrue();
  }

  @Test
  void soDoesOneThatIsShownAnEmptyStore() {
    assertThat(leading(7).after(1).shown(LeaseRecord.none("")).shut()).isTrue();
  }

  @Test
  void aLeaderThatIsShownItsOwnRecordGoesOnWithoutAQuestion() {
    Puppet node = leading(7).after(1).shown(record(SELF, 7, "v1"));

    assertThat(node.role()).isInstanceOf(Leading.class);
    assertThat(node.effects()).isEmpty();
  }

  @Test
  void nothingThatIsShownOpensAGate() {
    Puppet node = patient().sees(record(OTHER, 7, "v1")).after(1).shown(record(SELF, 8, "v2"));

    assertThat(node.openUntil()).isNull();
    assertThat(node.role()).isNotInstanceOf(Leading.class);
  }

  @Test
  void whoStaysOutLearnsWhoLeadsWithoutAQuestion() {
    Puppet node = patient().sees(record(OTHER, 7, "v1"));
    node.order(new Command.Withdraw(Absence.DRAINED, Duration.ZERO)).tick();
    node.sees(record(OTHER, 7, "v1"));

    node.after(1_000).shown(record("third", 8, "v2"));

    assertThat(node.asked()).isNull();
    assertThat(node.role().memory().leader()).isEqualTo(new Leader("third", null, 8));
  }

  @Test
  void anEmptyStoreWithoutALifeIsNoOtherStore() {
    Puppet node = standby();
    node.order(new Command.Withdraw(Absence.NOT_READY, Duration.ZERO));
    node.sees(LeaseRecord.none(""));

    LeaseRecord ground = record("life-1", "", 9, "v1", Duration.ZERO, false);
    node.shown(ground);

    assertThat(node.role().memory().trustsWhatItSaw()).isTrue();
  }
}
