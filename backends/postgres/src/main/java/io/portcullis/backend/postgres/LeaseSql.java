package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.TableName;

/**
 * SQL statements on the lease table. Each statement is one round trip and one transaction, so a
 * client that stops between two statements leaves no row locked. Comments list the parameters in
 * order.
 */
final class LeaseSql {
  /** Start time of this backend; distinguishes it from a later one with the same process id. */
  private static final String OWN_START =
      "(SELECT a.backend_start FROM pg_stat_get_activity(pg_backend_pid()) a)";

  private final String table;
  private final DatabaseIncarnation incarnation;
  private final String notify;

  LeaseSql(PostgresStorePlan plan, DatabaseIncarnation incarnation) {
    this.table = plan.table().quoted();
    this.incarnation = incarnation;
    String channel = plan.channel();
    // Both variants have the payload as parameter.
    this.notify =
        channel == null
            ? "CASE WHEN ?::text IS NULL THEN 1 END"
            : "pg_notify('" + channel + "', ?)";
  }

  /** The table definition; also for operators if the role may not create the table. */
  static String definition(TableName name) {
    return "CREATE TABLE "
        + name.quoted()
        + " (scope text COLLATE \"C\" PRIMARY KEY, scope_key bigint NOT NULL, epoch bigint NOT"
        + " NULL, holder_identity text NOT NULL, address text, backend_pid integer, backend_start"
        + " timestamptz, lease_ms bigint NOT NULL, beats bigint NOT NULL, last_heartbeat"
        + " timestamptz NOT NULL, released boolean NOT NULL, life text NOT NULL)";
  }

  /**
   * Parameter: scope. Always returns a row: incarnation, time and kind of table, and the columns of
   * the election's row or nulls.
   */
  String read() {
    return "SELECT l.life, l.unix_second, l.kind, t.scope IS NOT NULL AS present, t.scope_key,"
        + " t.epoch, t.holder_identity, t.address, t.lease_ms, t.beats, t.released,"
        + " t.life AS granted_in, coalesce(abs(l.unix_second"
        + " - extract(epoch FROM t.last_heartbeat)::bigint) < 60, false) AS recent FROM (SELECT "
        + incarnation.expression()
        + " AS life, extract(epoch FROM clock_timestamp())::bigint AS unix_second,"
        + " (SELECT c.relkind::text || c.relpersistence::text FROM pg_class c WHERE c.oid = '"
        + table
        + "'::regclass) AS kind) l LEFT JOIN "
        + table
        + " t ON t.scope = ?";
  }

  /** Parameters: scope, lock key, epoch, lease, beats, incarnation. */
  String insertInitialRow() {
    return "INSERT INTO "
        + table
        + " (scope, scope_key, epoch, holder_identity, lease_ms, beats, last_heartbeat, released,"
        + " life) VALUES (?, ?, ?, '', ?, ?, clock_timestamp(), false, ?)"
        + " ON CONFLICT (scope) DO NOTHING";
  }

  /**
   * Parameters: lock key, new epoch, identity, address, lease, incarnation; scope, and the epoch,
   * beats and holder that were read; the session's process id; payload. Returns a row if the lease
   * was taken. Takes nothing on a backend that is not the session's or that does not flush its
   * commits.
   */
  String take() {
    return "WITH taken AS (UPDATE "
        + table
        + " SET scope_key = ?, epoch = ?, holder_identity = ?, address = ?, lease_ms = ?, life = ?,"
        + " backend_pid = pg_backend_pid(), backend_start = "
        + OWN_START
        + ", beats = beats + 1, last_heartbeat = clock_timestamp(), released = false"
        + " WHERE scope = ? AND epoch = ? AND beats = ? AND holder_identity = ?"
        + " AND pg_backend_pid() = ? AND current_setting('synchronous_commit') = 'on'"
        + " RETURNING 1)"
        + " SELECT "
        + notify
        + " FROM taken";
  }

  /** Parameters: lease, address; scope, epoch, identity. */
  String renew() {
    return "UPDATE "
        + table
        + " SET lease_ms = ?, address = ?, beats = beats + 1, last_heartbeat = clock_timestamp()"
        + " WHERE scope = ? AND epoch = ? AND holder_identity = ? AND NOT released"
        + " AND backend_pid = pg_backend_pid() AND backend_start = "
        + OWN_START;
  }

  /**
   * Parameters: scope, epoch, identity; payload; whether to unlock, lock key. The lock is free
   * before other nodes can receive the notification.
   */
  String release() {
    return "WITH freed AS (UPDATE "
        + table
        + " SET released = true WHERE scope = ? AND epoch = ? AND holder_identity = ?"
        + " AND NOT released RETURNING 1)"
        + " SELECT "
        + notify
        + ", CASE WHEN ? THEN pg_advisory_unlock(?) END FROM freed";
  }

  /**
   * Parameters: scope, epoch, beats. Terminates the session recorded in the row, if it still is the
   * same session, and returns its process id.
   */
  String terminateHolder() {
    return "SELECT a.pid, pg_terminate_backend(a.pid) FROM "
        + table
        + " t JOIN pg_stat_activity a"
        + " ON a.pid = t.backend_pid AND a.backend_start = t.backend_start"
        + " WHERE t.scope = ? AND t.epoch = ? AND t.beats = ? AND a.pid <> pg_backend_pid()";
  }

  /**
   * Parameters: scope, lock key. Returns the process id of the lock holder, whether it is the
   * session recorded in the row, and whether that was decided by its process id alone.
   */
  String lockHolder() {
    return "SELECT l.pid, coalesce(t.backend_pid = l.pid"
        + " AND (a.backend_start IS NULL OR a.backend_start = t.backend_start), false),"
        + " a.backend_start IS NULL FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid"
        + " LEFT JOIN "
        + table
        + " t ON t.scope = ? WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1"
        + " AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())"
        + " AND (l.classid::bigint << 32 | l.objid::bigint) = ?";
  }
}
