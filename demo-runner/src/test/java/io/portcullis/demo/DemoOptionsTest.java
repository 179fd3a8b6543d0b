package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class DemoOptionsTest {

  @Test
  void defaultIsAQuorumWithoutKeep() {
    assertThat(DemoOptions.parse(List.of())).isEqualTo(new DemoOptions(false, StoreKind.QUORUM));
  }

  @Test
  void optionsMayComeInAnyOrder() {
    DemoOptions both = new DemoOptions(true, StoreKind.POSTGRES);

    assertThat(DemoOptions.parse(List.of("--backend", "postgres", "--keep"))).isEqualTo(both);
    assertThat(DemoOptions.parse(List.of("--keep", "--backend", "postgres"))).isEqualTo(both);
    assertThat(DemoOptions.parse(List.of("--backend", "redis")).store()).isEqualTo(StoreKind.REDIS);
  }

  @Test
  void defaultBackendCanBeNamed() {
    assertThat(DemoOptions.parse(List.of("--backend", "quorum")))
        .isEqualTo(DemoOptions.parse(List.of()));
  }

  @Test
  void unknownBackendIsRefusedWithTheChoices() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DemoOptions.parse(List.of("--backend", "mysql")))
        .withMessage("--backend must be quorum, redis or postgres, not mysql");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DemoOptions.parse(List.of("--backend")))
        .withMessage("--backend must be quorum, redis or postgres");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DemoOptions.parse(List.of("--kepp")))
        .withMessage("unknown option --kepp");
  }
}
