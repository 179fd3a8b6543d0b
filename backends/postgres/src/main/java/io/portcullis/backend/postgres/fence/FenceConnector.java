package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.JdbcConnector;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections to a fence's database, and makes sure that the fence is there and sound. */
final class FenceConnector {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private static final String RIGHTS =
      "SELECT current_user, r.rolsuper"
          + " OR pg_catalog.pg_has_role(current_user, 'pg_signal_backend', 'USAGE'),"
          + " pg_catalog.has_schema_privilege('public', pg_catalog.to_regnamespace(?), 'CREATE')"
          + " FROM pg_catalog.pg_roles r WHERE r.rolname OPERATOR(pg_catalog.=) current_user";

  private final PostgresFencePlan plan;
  private final String node;
  private final JdbcConnector exchange;
  private final FenceSchema ground;
  private boolean warned;

  FenceConnector(PostgresFencePlan plan, String node, JdbcConnector exchange) {
    this.plan = plan;
    this.node = node;
    this.exchange = exchange;
    this.ground = new FenceSchema(plan.table());
  }

  FenceSession open() throws SQLException, UnusableServerException {
    Connection connection =
        exchange.dial(
            "portcullis fence " + plan.scope() + " " + node,
            FenceSession.ANSWER,
            FenceSession.ANSWER);
    try {
      FenceTable table = ground.prepare(connection);
      warn(connection, table);
      return new FenceSession(
          plan, connection, table, new BlockerTermination.Court(plan, node, exchange));
    } catch (SQLException | UnusableServerException | RuntimeException e) {
      JdbcConnector.hangUp(connection);
      throw e;
    }
  }

  private void warn(Connection connection, FenceTable table) throws SQLException {
    if (warned) {
      return;
    }
    warned = true;
    for (String sentence : warnings(connection, table)) {
      LOG.warn("portcullis node={} fence {}: {}", node, plan.scope(), sentence);
    }
  }

  /** Sentences about rights that a takeover needs, and about rights that are too wide. */
  static List<String> warnings(Connection connection, FenceTable table) throws SQLException {
    List<String> sentences = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(RIGHTS)) {
      statement.setString(1, TableName.quoted(table.schema()));
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        String role = found.getString(1);
        if (!found.getBoolean(2)) {
          sentences.add(
              "role "
                  + role
                  + " may end sessions of its own role only; if the application uses another, a"
                  + " takeover fails while an old transaction of its stays open. Run: GRANT"
                  + " pg_signal_backend TO "
                  + FenceSchema.quoted(role));
        }
        if (found.getBoolean(3)) {
          sentences.add(
              "every role may create objects in schema "
                  + table.schema()
                  + ", beside the fence. Use a schema of its own (table in the fence), or run:"
                  + " REVOKE CREATE ON SCHEMA "
                  + FenceSchema.quoted(table.schema())
                  + " FROM PUBLIC");
        }
      }
    }
    return sentences;
  }
}
