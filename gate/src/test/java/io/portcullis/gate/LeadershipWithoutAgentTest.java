package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Loads the gate a second time, in a class loader where no election was ever installed, independent
 * of other tests.
 */
class LeadershipWithoutAgentTest {
  private final URLClassLoader pristine =
      new URLClassLoader(new URL[] {gateClasses()}, ClassLoader.getPlatformClassLoader());
  private Class<?> leadership = Leadership.class;

  @BeforeEach
  void loadAnew() throws ClassNotFoundException {
    leadership = pristine.loadClass(Leadership.class.getName());
    assertThat(leadership).isNotSameAs(Leadership.class);
  }

  @AfterEach
  void closeLoader() throws IOException {
    pristine.close();
  }

  @Test
  void isNotActiveWithoutAnAgent() throws ReflectiveOperationException {
    assertThat(ask("active")).isEqualTo(false);
  }

  @Test
  void reportsTheOnlyInstanceAsLeader() throws ReflectiveOperationException {
    assertThat(ask("isLeader", "any")).isEqualTo(true);
    assertThat(ask("epoch", "any")).isEqualTo(0L);
    assertThat(ask("leader", "any")).isNull();
    assertThat(ask("requireLeader", "any")).isEqualTo(0L);
  }

  @Test
  void everyEpochIsEnsured() {
    assertThatCode(
            () ->
                leadership
                    .getMethod("ensureEpoch", String.class, long.class)
                    .invoke(null, "any", 42L))
        .doesNotThrowAnyException();
  }

  private @Nullable Object ask(String question) throws ReflectiveOperationException {
    return leadership.getMethod(question).invoke(null);
  }

  private @Nullable Object ask(String question, String election)
      throws ReflectiveOperationException {
    return leadership.getMethod(question, String.class).invoke(null, election);
  }

  private static URL gateClasses() {
    return Leadership.class.getProtectionDomain().getCodeSource().getLocation();
  }
}
