package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {

  @Test
  void withoutOptionsTheNodesKeepTheLeaseThemselvesAndTheShowEnds() {
    assertThat(Options.parse(List.of())).isEqualTo(new Options(false, StoreKind.QUORUM));
  }

  @Test
  void optionsComeInAnyOrder() {
    Options both = new Options(true, StoreKind.POSTGRES);

    assertThat(Options.parse(List.of("--backend", "postgres", "--keep"))).isEqualTo(both);
    assertThat(Options.parse(List.of("--keep", "--backend", "postgres"))).isEqualTo(both);
    assertThat(Options.parse(List.of("--backend", "redis")).store()).isEqualTo(StoreKind.REDIS);
  }

  @Test
  void whatIsChosenWithoutOptionsCanAlsoBeNamed() {
    assertThat(Options.parse(List.of("--backend", "quorum"))).isEqualTo(Options.parse(List.of()));
  }

  @Test
  void anotherBackendIsRefusedWithTheChoices() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(List.of("--backend", "mysql")))
        .withMessage("--backend must be quorum, redis or postgres, not mysql");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(List.of("--backend")))
        .withMessage("--backend must be quorum, redis or postgres");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(List.of("--kepp")))
        .withMessage("unknown option --kepp");
  }
}
