package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.portcullis.gate.Refusal.ThrowNotLeader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class NotLeaderExceptionTest {
  private final GateFixture gated = GateFixture.throwing();
  private final ElectionGate election = gated.election();

  @Test
  void messageNamesLeaderAddressAndRemedy() {
    election.leaderSeen("b-990-11aa", "http://10.0.0.8:8080", 8);

    assertThat(refused())
        .hasMessage(
            "This node does not lead election '%s', as rule '%s' requires; the call was refused."
                + " The leader last seen is b-990-11aa, at http://10.0.0.8:8080, under epoch 8."
                + " Send the call there, or retry once this node leads.",
            election.name(), gated.checkpoint().id());
  }

  @Test
  void messageStatesThatTheLeaderHasNoAddress() {
    election.leaderSeen("b-990-11aa", null, 8);

    assertThat(refused())
        .hasMessageEndingWith(
            " The leader last seen is b-990-11aa, which advertises no address, under epoch 8."
                + " Send the call to that node, or retry once this one leads.");
  }

  @Test
  void messageStatesThatNoLeaderIsKnown() {
    assertThat(refused())
        .hasMessageEndingWith(
            " No leader is known (highest epoch seen: 0). Retry once one has been elected.");
  }

  @Test
  void exceptionCarriesLeaderAddressForRouting() {
    election.leaderSeen("b", "http://b", 8);

    NotLeaderException refused = refused();

    assertThat(refused.election()).isEqualTo(election.name());
    assertThat(refused.rule()).isEqualTo(gated.checkpoint().id());
    assertThat(refused.epoch()).isEqualTo(8);
    assertThat(refused.leader()).isEqualTo("b");
    assertThat(refused.leaderAddress()).isEqualTo("http://b");
  }

  @Test
  void hasNoStackTraceUnlessConfigured() {
    assertThat(refused().getStackTrace()).isEmpty();
  }

  @Test
  void hasAStackTraceOfTheCallerIfConfigured() {
    gated.checkpoint().refuseWith(ThrowNotLeader.WITH_STACK_TRACE);

    assertThat(refused().getStackTrace())
        .extracting(StackTraceElement::getMethodName)
        .contains("enter", "hasAStackTraceOfTheCallerIfConfigured");
  }

  @Test
  void survivesSerialization() throws IOException, ClassNotFoundException {
    election.leaderSeen("b", "http://b", 8);
    NotLeaderException sent = refused();

    NotLeaderException received = roundTrip(sent);

    assertThat(received).hasMessage(sent.getMessage());
    assertThat(received.election()).isEqualTo(sent.election());
    assertThat(received.rule()).isEqualTo(sent.rule());
    assertThat(received.epoch()).isEqualTo(8);
    assertThat(received.leader()).isEqualTo("b");
    assertThat(received.leaderAddress()).isEqualTo("http://b");
  }

  private NotLeaderException refused() {
    return catchThrowableOfType(NotLeaderException.class, gated::enter);
  }

  private static NotLeaderException roundTrip(NotLeaderException sent)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(sent);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (NotLeaderException) in.readObject();
    }
  }
}
