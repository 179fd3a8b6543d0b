package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.SettingsStatement;
import io.portcullis.election.config.Timing;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the dedicated session sets for itself, whatever the database, the role or the server have as
 * their defaults.
 */
final class SessionSettings {
  private final String statement;

  SessionSettings(Timing timing) {
    long leaseMillis = timing.lease().toMillis();
    long leaseSeconds = Math.max(1, timing.lease().toSeconds());
    Map<String, String> values = new LinkedHashMap<>();
    // With off a crash of the server gives the same epoch twice.
    values.put("synchronous_commit", "on");
    // A cancelled wait for a synchronous replica reports success: nothing may be cancelled by time.
    values.put("statement_timeout", "0");
    values.put("transaction_timeout", "0");
    values.put("idle_in_transaction_session_timeout", "0");
    values.put("idle_session_timeout", "0");
    // A statement that waits for a row has changed nothing yet; none waits longer than a session.
    values.put("lock_timeout", Long.toString(2 * leaseMillis));
    values.put("default_transaction_isolation", "read committed");
    values.put("client_min_messages", "warning");
    // The server lets go of a session whose host is gone.
    values.put("tcp_keepalives_idle", Long.toString(Math.max(1, leaseSeconds / 3)));
    values.put("tcp_keepalives_interval", Long.toString(Math.max(1, leaseSeconds / 3)));
    values.put("tcp_keepalives_count", "3");
    values.put("tcp_user_timeout", Long.toString(leaseMillis));
    statement = SettingsStatement.of(values, false);
  }

  /** One statement that sets them all. */
  String statement() {
    return statement;
  }
}
