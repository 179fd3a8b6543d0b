package io.portcullis.backend.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemberAddressTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.7:7400, 10.0.0.7, 7400",
    "Node-A.example:1, node-a.example, 1",
    "my_host:65535, my_host, 65535",
    "[fd00::7]:7400, fd00::7, 7400",
    "[fe80::1%eth0]:7400, fe80::1%eth0, 7400",
    "[::ffff:10.0.0.7]:7400, ::ffff:10.0.0.7, 7400"
  })
  void hostAndPortAreParsed(String text, String host, int port) {
    assertThat(MemberAddress.parse(text)).isEqualTo(new MemberAddress(host, port));
    assertThat(MemberAddress.parse(text)).hasToString(text.toLowerCase(Locale.ROOT));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.7", ":7400", "10.0.0.7:", "10.0.0.7:x", "10.0.0.7:-1", "fd00::7:7400", "[fd00::7]",
        "http://10.0.0.7:7400", "a b:7400", "u@h:1", "[a]:1", "a:123456", "[10.0.0.7:7400", ""
      })
  void malformedAddressIsRejectedWithAnExample(String text) {
    assertThatThrownBy(() -> MemberAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write host:port such as 10.0.0.7:7400")
        .hasMessageContaining("[fd00::7]:7400");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h:0", "h:65536", "h:99999", "[::1]:0"})
  void portOutsideOf1To65535IsRejected(String text) {
    assertThatThrownBy(() -> MemberAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it must be from 1 to 65535");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.300:1", "10.0.0:1", "1234:1", "10.0.0.7.:1", "[1::2::3]:1", "ä:1"})
  void invalidHostIsRejected(String text) {
    assertThatThrownBy(() -> MemberAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("neither a name nor an address");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "127.255.3.4, true",
    "[::1], true",
    "[0:0:0:0:0:0:0:1], true",
    "[::ffff:127.0.0.1], true",
    "localhost, true",
    "LOCALHOST, true",
    "128.0.0.1, false",
    "0.0.0.0, false",
    "[::], false",
    "[fd00::1], false",
    "localhost.example, false",
    "127.0.0.1.example, false",
    "node-a, false"
  })
  void loopbackAddressesAreDetected(String host, boolean loopback) {
    assertThat(MemberAddress.parse(host + ":7400").isLoopback()).isEqualTo(loopback);
  }

  @Test
  void equivalentAddressesHaveOneCanonicalForm() {
    assertThat(MemberAddress.parse("[::1]:7400").canonical())
        .isEqualTo(MemberAddress.parse("[0:0:0:0:0:0:0:1]:7400").canonical())
        .isNotEqualTo(MemberAddress.parse("[::1]:7401").canonical());
    assertThat(MemberAddress.parse("Host:1").canonical())
        .isEqualTo(MemberAddress.parse("host:1").canonical());
  }
}
