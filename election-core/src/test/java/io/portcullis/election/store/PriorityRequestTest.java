package io.portcullis.election.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PriorityRequestTest {

  @Test
  void textFormatRoundTrips() {
    PriorityRequest request =
        new PriorityRequest("a node-7 with blanks", -3, 1_700_000_000L, Duration.ofMillis(60_250));

    assertThat(PriorityRequest.read(request.text())).isEqualTo(request);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "5 7 60000",
        "5 7 60000 ",
        "five 7 60000 a",
        "5 7 -1 a",
        "5 7 1e9 a",
        "99999999999 7 60000 a",
        "5 99999999999999999999 60000 a"
      })
  void invalidTextIsNoRequest(String text) {
    assertThat(PriorityRequest.read(text)).isNull();
  }

  @Test
  void tooLongTextIsNoRequest() {
    assertThat(PriorityRequest.read("5 7 60000 " + "a".repeat(2000))).isNull();
  }

  @Test
  void hugeHealthyTimeDoesNotOverflow() {
    assertThat(PriorityRequest.read("5 7 " + Long.MAX_VALUE + " a"))
        .isEqualTo(new PriorityRequest("a", 5, 7, Duration.ofDays(365)));
    assertThatThrownBy(() -> new PriorityRequest("a", 5, 7, Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
