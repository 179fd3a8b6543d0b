package io.portcullis.it.apps;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.portcullis.it.support.Artifacts;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Quartz's tables, created by the script in its jar. */
final class QuartzTables {
  private static final String SCRIPT = "org/quartz/impl/jdbcjobstore/tables_postgres.sql";

  private QuartzTables() {}

  static void create(PostgresServer postgres, String database) throws IOException {
    try (Connection connection = connect(postgres, database);
        Statement statement = connection.createStatement()) {
      statement.execute(script());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The states of all triggers. */
  static List<String> states(PostgresServer postgres, String database) {
    List<String> states = new ArrayList<>();
    try (Connection connection = connect(postgres, database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT trigger_state FROM qrtz_triggers")) {
      while (rows.next()) {
        states.add(rows.getString(1));
      }
      return states;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Connection connect(PostgresServer postgres, String database) throws SQLException {
    return DriverManager.getConnection(postgres.url(database), postgres.user(), "");
  }

  private static String script() throws IOException {
    Path libraries = Artifacts.jobs().resolveSibling("lib");
    try (Stream<Path> jars = Files.list(libraries)) {
      Path quartz =
          jars.filter(jar -> jar.getFileName().toString().startsWith("quartz-"))
              .findFirst()
              .orElseThrow();
      try (JarFile jar = new JarFile(quartz.toFile())) {
        return new String(jar.getInputStream(jar.getJarEntry(SCRIPT)).readAllBytes(), UTF_8);
      }
    }
  }
}
