package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeConfigTest {

  @ParameterizedTest
  @EnumSource
  void electionHasItsBackendAndBackendSection(StoreKind kind) {
    DemoStore store = new DemoStore(kind, node -> "where { " + node + " = is }", () -> {});

    assertThat(new NodeConfig("a", store, 8080, 9470).text().lines().map(String::strip))
        .contains("backend = " + kind.configName(), "where { a = is }", "http { port = 9470 }");
  }

  @ParameterizedTest
  @EnumSource
  void firstLeaseSentenceFitsIntoTheTerminal(StoreKind kind) {
    assertThat(" 99.9 s  Three JVMs run. " + kind.firstLease())
        .hasSizeLessThanOrEqualTo(Terminal.WIDTH);
  }

  @Test
  void closingTheStoreStopsItsServer() {
    boolean[] ended = new boolean[1];

    new DemoStore(StoreKind.REDIS, node -> "", () -> ended[0] = true).close();

    assertThat(ended).containsExactly(true);
  }
}
