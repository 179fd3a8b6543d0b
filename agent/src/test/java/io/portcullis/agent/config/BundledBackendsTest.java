package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BundledBackendsTest {
  private final BundledBackends backends =
      new BundledBackends(
          name -> name.equals("postgres") ? null : BundledBackendsTest.class.getClassLoader());

  @Test
  void backendIsOpenedByItsName() {
    assertThat(backends.names()).contains("redis").doesNotContain("postgres");
    assertThat(backends.open("redis").name()).isEqualTo("redis");
  }

  @Test
  void missingBackendIsNamed() {
    assertThatThrownBy(() -> backends.open("postgres"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("postgres");
  }

  @Test
  void backendFolderWithoutBackendIsReportedAsDamagedJar() {
    assertThatThrownBy(() -> backends.open("etcd"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("etcd");
  }
}
