package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.store.Wish;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MessageTest {

  @Test
  void aReleaseWakesAllButWhoReleased() {
    String text = Message.released("a", null);

    assertThat(text).as("as nodes of every version say and read it").isEqualTo("a");
    assertThat(Message.wakes("a", text)).isFalse();
    assertThat(Message.wakes("b", text)).isTrue();
    assertThat(Message.wishIn(text)).isNull();
  }

  @Test
  void aReleaseForSomebodyWakesThatOneAlone() {
    String text = Message.released("a", "b");

    assertThat(Message.wakes("a", text)).isFalse();
    assertThat(Message.wakes("b", text)).isTrue();
    assertThat(Message.wakes("c", text)).isFalse();
  }

  @Test
  void aWishWakesNobody() {
    Wish wish = new Wish("b", 5, 7, Duration.ofSeconds(60));
    String text = Message.of(wish);

    assertThat(Message.wakes("a", text)).isFalse();
    assertThat(Message.wishIn(text)).isEqualTo(wish);
    assertThat(Message.wishIn("wish\tnonsense")).isNull();
  }

  @Test
  void anIdentityThatReadsLikeAWordIsStillAnIdentity() {
    assertThat(Message.wakes("a", "wish 5 7 60000 b")).isTrue();
    assertThat(Message.wishIn("wish 5 7 60000 b")).isNull();
    assertThat(Message.wakes("a", "heir b")).isTrue();
  }
}
