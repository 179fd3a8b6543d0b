package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.redis.HintSubscriber.ChannelMessage;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChannelMessageTest {

  @Test
  void releaseTriggersHintForAllButTheReleasingNode() {
    String text = ChannelMessage.released("a", null);

    assertThat(text).as("the plain identity").isEqualTo("a");
    assertThat(ChannelMessage.wakes("a", text)).isFalse();
    assertThat(ChannelMessage.wakes("b", text)).isTrue();
    assertThat(ChannelMessage.priorityRequestIn(text)).isNull();
  }

  @Test
  void releaseForSuccessorTriggersHintForItAlone() {
    String text = ChannelMessage.released("a", "b");

    assertThat(ChannelMessage.wakes("a", text)).isFalse();
    assertThat(ChannelMessage.wakes("b", text)).isTrue();
    assertThat(ChannelMessage.wakes("c", text)).isFalse();
  }

  @Test
  void priorityRequestTriggersNoHint() {
    PriorityRequest request = new PriorityRequest("b", 5, 7, Duration.ofSeconds(60));
    String text = ChannelMessage.of(request);

    assertThat(ChannelMessage.wakes("a", text)).isFalse();
    assertThat(ChannelMessage.priorityRequestIn(text)).isEqualTo(request);
    assertThat(ChannelMessage.priorityRequestIn("priority-request\tnonsense")).isNull();
  }

  @Test
  void identityThatStartsLikeAMessageWordIsAnIdentity() {
    assertThat(ChannelMessage.wakes("a", "priority-request 5 7 60000 b")).isTrue();
    assertThat(ChannelMessage.priorityRequestIn("priority-request 5 7 60000 b")).isNull();
    assertThat(ChannelMessage.wakes("a", "successor b")).isTrue();
  }
}
