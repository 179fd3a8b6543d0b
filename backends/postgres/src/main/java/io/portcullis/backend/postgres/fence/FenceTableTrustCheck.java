package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Checks that the fence's table runs no code of its own. Triggers, rules, constraints and defaults
 * run with the rights of the role that writes, which is the installer. Any role that may create
 * tables in the schema could have made the table before the fence was set up.
 */
final class FenceTableTrustCheck {
  /**
   * Finds objects that would run code of the table's owner with the installer's rights, or change
   * what the installer writes. Parameter: table.
   */
  private static final String CODE_QUERY =
      "WITH r AS (SELECT pg_catalog.to_regclass(?)::pg_catalog.oid AS oid)"
          + " SELECT 'trigger ' OPERATOR(pg_catalog.||) t.tgname::pg_catalog.text"
          + " FROM r JOIN pg_catalog.pg_trigger t ON t.tgrelid OPERATOR(pg_catalog.=) r.oid"
          + " UNION ALL SELECT 'rule ' OPERATOR(pg_catalog.||) w.rulename::pg_catalog.text"
          + " FROM r JOIN pg_catalog.pg_rewrite w ON w.ev_class OPERATOR(pg_catalog.=) r.oid"
          + " UNION ALL SELECT 'constraint ' OPERATOR(pg_catalog.||) k.conname::pg_catalog.text"
          + " FROM r JOIN pg_catalog.pg_constraint k ON k.conrelid OPERATOR(pg_catalog.=) r.oid"
          + " WHERE k.contype::pg_catalog.text OPERATOR(pg_catalog.<>) ALL (ARRAY['p', 'u', 'n'])"
          + " UNION ALL SELECT 'default of column '"
          + " OPERATOR(pg_catalog.||) a.attname::pg_catalog.text"
          + " FROM r JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) r.oid"
          + " WHERE a.atthasdef AND NOT a.attisdropped"
          + " UNION ALL SELECT 'type of column '"
          + " OPERATOR(pg_catalog.||) a.attname::pg_catalog.text"
          + " FROM r JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) r.oid"
          + " JOIN pg_catalog.pg_type y ON y.oid OPERATOR(pg_catalog.=) a.atttypid"
          + " WHERE NOT a.attisdropped"
          + " AND y.typtype::pg_catalog.text OPERATOR(pg_catalog.<>) 'b'"
          + " UNION ALL SELECT 'index '"
          + " OPERATOR(pg_catalog.||) i.indexrelid::pg_catalog.regclass::pg_catalog.text"
          + " FROM r JOIN pg_catalog.pg_index i ON i.indrelid OPERATOR(pg_catalog.=) r.oid"
          + " WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL"
          + " UNION ALL SELECT 'child table '"
          + " OPERATOR(pg_catalog.||) h.inhrelid::pg_catalog.regclass::pg_catalog.text"
          + " FROM r JOIN pg_catalog.pg_inherits h ON h.inhparent OPERATOR(pg_catalog.=) r.oid"
          + " LIMIT 1";

  /**
   * Reads the table's owner, who may add a trigger at any time, and whether that role is trusted:
   * the installer or a role that it belongs to, a superuser, the owner of the schema or the
   * database, or a role without login. Parameter: table.
   */
  private static final String OWNER_QUERY =
      "SELECT o.rolname, o.rolsuper OR NOT o.rolcanlogin"
          + " OR (NOT u.rolsuper AND pg_catalog.pg_has_role(o.oid, 'MEMBER'))"
          + " OR n.nspowner OPERATOR(pg_catalog.=) o.oid OR d.datdba OPERATOR(pg_catalog.=) o.oid"
          + " FROM pg_catalog.pg_class c"
          + " JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace"
          + " JOIN pg_catalog.pg_roles o ON o.oid OPERATOR(pg_catalog.=) c.relowner"
          + " JOIN pg_catalog.pg_roles u ON u.rolname OPERATOR(pg_catalog.=) current_user"
          + " JOIN pg_catalog.pg_database d ON d.datname"
          + " OPERATOR(pg_catalog.=) pg_catalog.current_database()"
          + " WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(?)::pg_catalog.oid";

  private FenceTableTrustCheck() {}

  /**
   * Refuses a table that runs code, or whose owner could make it run code.
   *
   * @param installer the role of this connection
   */
  static void check(Connection connection, FenceTable table, String installer)
      throws SQLException, UnusableServerException {
    refuseForeignOwner(connection, table, installer);
    refuseForeignCode(connection, table);
  }

  private static void refuseForeignOwner(Connection connection, FenceTable table, String installer)
      throws SQLException, UnusableServerException {
    try (PreparedStatement statement = connection.prepareStatement(OWNER_QUERY)) {
      statement.setString(1, table.quoted());
      try (ResultSet found = statement.executeQuery()) {
        if (found.next() && !found.getBoolean(2)) {
          throw new UnusableServerException(
              "table "
                  + table
                  + " belongs to role "
                  + found.getString(1)
                  + ", which could run code with the rights of role "
                  + installer
                  + ". Drop it, unless it is the fence of other nodes. Run: ALTER TABLE "
                  + table
                  + " OWNER TO "
                  + FenceSchema.quoted(installer)
                  + ";");
        }
      }
    }
  }

  private static void refuseForeignCode(Connection connection, FenceTable table)
      throws SQLException, UnusableServerException {
    try (PreparedStatement statement = connection.prepareStatement(CODE_QUERY)) {
      statement.setString(1, table.quoted());
      try (ResultSet found = statement.executeQuery()) {
        if (found.next()) {
          throw new UnusableServerException(
              "table "
                  + table
                  + " has a "
                  + found.getString(1)
                  + ", which could run code with the installer's rights or change what it writes."
                  + " Find out why, then drop it");
        }
      }
    }
  }
}
