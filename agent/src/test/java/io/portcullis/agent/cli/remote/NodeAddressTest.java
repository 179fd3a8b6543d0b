package io.portcullis.agent.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeAddressTest {
  @ParameterizedTest
  @CsvSource({
    "a, http://a:9470",
    "a:1, http://a:1",
    "10.0.0.7:9471, http://10.0.0.7:9471",
    "https://a, https://a:9470",
    "http://a:1/, http://a:1",
    "[::1]:2, http://[::1]:2",
  })
  void hostPortAndUrlAreParsed(String text, String meant) {
    assertThat(NodeAddress.parse(text)).hasToString(meant);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://a:1", "http://a:1/api/status", "a b", "http://", "a:1?x=y"})
  void invalidAddressIsRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> NodeAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("host:port");
  }

  @Test
  void wildcardAddressIsReachedOnLoopback() {
    assertThat(NodeAddress.of("http", "0.0.0.0", 9470)).hasToString("http://127.0.0.1:9470");
    assertThat(NodeAddress.of("http", "::1", 9470)).hasToString("http://[::1]:9470");
  }
}
