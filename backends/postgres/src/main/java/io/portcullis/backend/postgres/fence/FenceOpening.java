package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.line.Exchange;
import io.portcullis.backend.postgres.line.Refused;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections to a fence's database, and makes sure that the fence is there and sound. */
final class FenceOpening {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final PostgresFencePlan plan;
  private final String node;
  private final Exchange exchange;
  private final FenceGround ground;
  private boolean warned;

  FenceOpening(PostgresFencePlan plan, String node, Exchange exchange) {
    this.plan = plan;
    this.node = node;
    this.exchange = exchange;
    this.ground = new FenceGround(plan.table());
  }

  FenceSession open() throws SQLException, Refused {
    Connection connection =
        exchange.dial(
            "portcullis fence " + plan.scope() + " " + node,
            FenceSession.ANSWER,
            FenceSession.ANSWER);
    try {
      FenceTable table = ground.prepare(connection);
      warn(connection);
      return new FenceSession(plan, connection, table, new Eviction.Court(plan, node, exchange));
    } catch (SQLException | Refused | RuntimeException e) {
      Exchange.hangUp(connection);
      throw e;
    }
  }

  /** Says once what will not work at a takeover. */
  private void warn(Connection connection) throws SQLException {
    if (warned) {
      return;
    }
    warned = true;
    String question =
        "SELECT current_user, r.rolsuper OR pg_has_role(current_user, 'pg_signal_backend', 'USAGE')"
            + " FROM pg_roles r WHERE r.rolname = current_user";
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(question)) {
      if (found.next() && !found.getBoolean(2)) {
        LOG.warn(
            "portcullis node={} fence {}: role {} may end sessions of its own role only; if the"
                + " application uses another, a takeover fails while an old transaction of its"
                + " stays open. Run: GRANT pg_signal_backend TO {}",
            node,
            plan.scope(),
            found.getString(1),
            FenceGround.quoted(found.getString(1)));
      }
    }
  }
}
