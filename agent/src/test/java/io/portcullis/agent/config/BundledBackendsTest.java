package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BundledBackendsTest {
  private final BundledBackends backends =
      new BundledBackends(
          name -> name.equals("postgres") ? null : BundledBackendsTest.class.getClassLoader());

  @Test
  void opensABackendByItsName() {
    assertThat(backends.names()).contains("redis").doesNotContain("postgres");
    assertThat(backends.open("redis").name()).isEqualTo("redis");
  }

  @Test
  void namesTheBackendThatIsNotThere() {
    assertThatThrownBy(() -> backends.open("postgres"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("postgres");
  }

  @Test
  void aFolderWithoutItsBackendIsADamagedJar() {
    assertThatThrownBy(() -> backends.open("etcd"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("etcd");
  }
}
