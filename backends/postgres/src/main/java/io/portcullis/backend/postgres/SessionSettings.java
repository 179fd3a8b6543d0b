package io.portcullis.backend.postgres;

import io.portcullis.election.config.Timing;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the dedicated session sets for itself, whatever the database, the role or the server have as
 * their defaults. A setting that this version of the server does not have is passed over.
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
    statement =
        "SELECT set_config(s.name, v.value, false) FROM (VALUES "
            + values.entrySet().stream()
                .map(each -> "('" + each.getKey() + "', '" + each.getValue() + "')")
                .collect(Collectors.joining(", "))
            + ") v (name, value) JOIN pg_settings s ON s.name = v.name";
  }

  /** One statement that sets them all. */
  String statement() {
    return statement;
  }
}
