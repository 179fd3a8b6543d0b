package io.portcullis.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortsTest {

  @Test
  void noPortIsGivenTwiceOrLiesAmongThoseOfOutgoingConnections() {
    Ports ports = new Ports();

    List<Integer> given = IntStream.range(0, 50).mapToObj(i -> ports.next()).toList();

    assertThat(given)
        .doesNotHaveDuplicates()
        .allSatisfy(port -> assertThat(port).isBetween(1024, 32_767));
  }
}
