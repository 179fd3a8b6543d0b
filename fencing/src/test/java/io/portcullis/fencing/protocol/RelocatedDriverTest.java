package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** pgjdbc with its classes in another package, as forks and shaded jars have it. */
@Tag("slow")
class RelocatedDriverTest {
  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private static void insert(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO t (n) VALUES (77)");
    }
  }

  @ParameterizedTest
  @CsvSource({"com.edb, extended", "com.edb, simple", "com.acme.shaded.pg, extended"})
  void staleWritesOfRelocatedDriverAreRefused(String driverPackage, String mode) throws Exception {
    try (DriverClassLoader driver = DriverClassLoader.relocatedTo(driverPackage);
        Connection connection = driver.connect(mode)) {
      assertThat(connection.getClass().getName()).isEqualTo(driverPackage + ".jdbc.PgConnection");
      insert(connection);
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> insert(connection)).isInstanceOf(StaleEpochException.class);
      assertThat(FencedPostgresFixture.connections()).isEqualTo(1);
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }
}
