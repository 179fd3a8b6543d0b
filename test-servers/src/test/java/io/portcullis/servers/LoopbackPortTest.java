package io.portcullis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopbackPortTest {

  @Test
  void portsAreUniqueAndBelowTheOutgoingRange() {
    List<Integer> given = IntStream.range(0, 50).mapToObj(i -> LoopbackPort.free()).toList();

    assertThat(given)
        .doesNotHaveDuplicates()
        .allSatisfy(port -> assertThat(port).isBetween(1024, 32_767));
  }
}
