package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers that the JVM has loaded without calling any transformer. */
@Tag("slow")
class LateWovenDriverTest {
  private static final List<String> CLASSES =
      List.of("org.postgresql.core.PGStream", "org.postgresql.core.v3.QueryExecutorImpl");

  private final Instrumentation instrumentation = ByteBuddyAgent.install();

  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  /** Loads a driver on a thread that is inside a transformer already. */
  private record DriverLoadingTransformer(DriverClassLoader driver)
      implements ClassFileTransformer {
    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        @Nullable String className,
        @Nullable Class<?> classBeingRedefined,
        @Nullable ProtectionDomain protectionDomain,
        byte[] classFile) {
      if (loader == driver) {
        for (String name : CLASSES) {
          load(name);
        }
      }
      return null;
    }

    private void load(String name) {
      try {
        driver.loadClass(name);
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }

  private DriverClassLoader loadedUnasked(DriverClassLoader driver) throws ClassNotFoundException {
    DriverLoadingTransformer hasty = new DriverLoadingTransformer(driver);
    instrumentation.addTransformer(hasty);
    try {
      driver.loadClass("org.postgresql.Driver");
    } finally {
      instrumentation.removeTransformer(hasty);
    }
    return driver;
  }

  private List<String> wovenNow() {
    return FencedPostgresFixture.WEAVER.weaveLoaded(instrumentation).stream()
        .map(Class::getName)
        .toList();
  }

  private static void insert(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO t (n) VALUES (1)");
    }
  }

  private static DriverClassLoader driver(String version) throws Exception {
    return version.equals("latest")
        ? DriverClassLoader.ofLatest()
        : DriverClassLoader.ofVersion(version);
  }

  @ParameterizedTest
  @ValueSource(strings = {"latest", "42.2.29", "42.4.5", "42.5.6", "42.6.2"})
  void lateDriversAreFencedAndOldConnectionsAreCut(String version) throws Exception {
    try (DriverClassLoader driver = loadedUnasked(driver(version));
        Connection older = driver.connect("extended")) {
      FencedPostgresFixture.takeOver();
      insert(older); // No check covers this.
      assertThat(FencedPostgresFixture.rows()).isEqualTo(1);

      assertThat(wovenNow()).containsExactlyInAnyOrderElementsOf(CLASSES);

      assertThatThrownBy(() -> insert(older))
          .isInstanceOf(SQLException.class)
          .hasRootCauseMessage(
              "This connection to a database is older than the fence in its driver, and was closed."
                  + " Open a new connection, which is fenced.");
      assertThat(older.isClosed()).isTrue();
      try (Connection newer = driver.connect("extended")) {
        assertThatThrownBy(() -> insert(newer)).isInstanceOf(StaleEpochException.class);
        assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
        FencedPostgresFixture.reset();
        insert(newer);
      }
      assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
      assertThat(wovenNow()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void uncommittedWorkOnOldConnectionsIsRolledBack(String mode) throws Exception {
    try (DriverClassLoader driver = loadedUnasked(DriverClassLoader.ofLatest());
        Connection older = driver.connect(mode)) {
      older.setAutoCommit(false);
      insert(older);
      wovenNow();

      assertThatThrownBy(older::commit).isInstanceOf(SQLException.class);
    }
    assertThat(FencedPostgresFixture.rows()).isZero();
  }

  /** Other agents may retransform classes at any time. */
  @Test
  void lateDriverStaysFencedAfterAForeignRetransformation() throws Exception {
    try (DriverClassLoader driver = loadedUnasked(DriverClassLoader.ofLatest());
        Connection older = driver.connect("extended")) {
      wovenNow();
      for (String name : CLASSES) {
        instrumentation.retransformClasses(driver.loadClass(name));
      }

      assertThatThrownBy(() -> insert(older)).isInstanceOf(SQLException.class);
      try (Connection newer = driver.connect("extended")) {
        FencedPostgresFixture.takeOver();
        assertThatThrownBy(() -> insert(newer)).isInstanceOf(StaleEpochException.class);
      }
    }
    assertThat(FencedPostgresFixture.rows()).isZero();
  }

  @Test
  void retransformationKeepsFencedConnections() throws Exception {
    try (DriverClassLoader driver = DriverClassLoader.ofLatest();
        Connection connection = driver.connect("extended")) {
      assertThat(wovenNow()).isEmpty();
      for (String name : CLASSES) {
        instrumentation.retransformClasses(driver.loadClass(name));
      }

      insert(connection);
      FencedPostgresFixture.takeOver();
      assertThatThrownBy(() -> insert(connection)).isInstanceOf(StaleEpochException.class);
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }
}
