package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase.CheckFunctions;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Builds the SQL statements that make the server check an epoch.
 *
 * <p>Every argument is cast to the exact type of the parameter. Otherwise any role that may create
 * functions in the same schema could overload the function with types that match better, and that
 * overload would be called instead.
 */
final class EpochCheckSql {
  private final CheckFunctions functions;
  private final String holder;

  /** The last checks in use: before statements that write, and before those that may write. */
  private final CachedCheck sure = new CachedCheck(false);

  private final CachedCheck maybe = new CachedCheck(true);

  EpochCheckSql(CheckFunctions functions, String holder) {
    this.functions = functions;
    this.holder = holder;
  }

  private final class CachedCheck {
    private final boolean maybe;
    private long epoch = -1;
    private @Nullable EpochCheck check;

    CachedCheck(boolean maybe) {
      this.maybe = maybe;
    }

    EpochCheck of(long wanted) {
      EpochCheck known = check;
      if (known == null || epoch != wanted) {
        known = new EpochCheck(call(wanted, maybe));
        check = known;
        epoch = wanted;
      }
      return known;
    }
  }

  boolean areOf(@Nullable CheckFunctions otherFunctions, String otherHolder) {
    return functions.equals(otherFunctions) && holder.equals(otherHolder);
  }

  /** The check of this epoch; the same object until the epoch changes. */
  EpochCheck check(long epoch, boolean perhaps) {
    return (perhaps ? maybe : sure).of(epoch);
  }

  /**
   * SQL that checks the epoch and locks the fence for the session. It returns no row, and locks
   * nothing, if the session is not the one that the driver was connected to: behind a pooler that
   * switches sessions, the lock would not protect the statement that follows.
   *
   * <p>The session's default transaction mode may be read-only, or an isolation level whose
   * snapshot is older than the lock. So this transaction sets its own mode.
   */
  String hold(long epoch, int backendPid) {
    return "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE; SELECT "
        + functions.hold()
        + "("
        + text(functions.scope())
        + ", "
        + number(epoch)
        + ", "
        + text(holder)
        + ") WHERE pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) "
        + backendPid;
  }

  /** SQL that releases the lock that {@link #hold} took. */
  String letGo() {
    return "SELECT " + functions.letGo() + "(" + text(functions.scope()) + ")";
  }

  private String call(long epoch, boolean perhaps) {
    return "SELECT "
        + functions.check()
        + "("
        + text(functions.scope())
        + ", "
        + number(epoch)
        + ", "
        + text(holder)
        + ", "
        + perhaps
        + "::pg_catalog.bool)";
  }

  private static String text(String value) {
    return literal(value) + "::pg_catalog.text";
  }

  private static String number(long value) {
    return "'" + value + "'::pg_catalog.int8";
  }

  /** A literal that is valid under every setting of {@code standard_conforming_strings}. */
  private static String literal(String text) {
    String quoted = text.replace("'", "''");
    return text.indexOf('\\') < 0 ? "'" + quoted + "'" : "E'" + quoted.replace("\\", "\\\\") + "'";
  }

  /**
   * Encoded messages of the check of one epoch.
   *
   * <p>The prepared statement's name is a hash of its SQL. So behind a pooler that shares sessions,
   * the check of one client can't be mistaken for another's.
   */
  static final class EpochCheck {
    private static final String PORTAL = "portcullis_check";

    private final String text;
    private final byte[] closeStatement;
    private final byte[] parse;
    private final byte[] inUnnamedPortal;
    private final byte[] inOwnPortal;

    EpochCheck(String text) {
      this.text = text;
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      String name = "portcullis_" + UUID.nameUUIDFromBytes(bytes).toString().replace("-", "");
      this.closeStatement = new ByteBuilder().addClose('S', name).copy();
      this.parse = new ByteBuilder().addParse(name, text).copy();
      this.inUnnamedPortal = new ByteBuilder().addBind("", name).addExecute("").copy();
      this.inOwnPortal =
          new ByteBuilder().addBind(PORTAL, name).addExecute(PORTAL).addClose('P', PORTAL).copy();
    }

    /** The SQL of the check, to be put before other statements. */
    String text() {
      return text;
    }

    /** Closing a statement that does not exist is no error; preparing an existing one is. */
    byte[] closeStatement() {
      return closeStatement;
    }

    byte[] parse() {
      return parse;
    }

    /** Binds and executes in the unnamed portal, which the driver is about to bind again. */
    byte[] inUnnamedPortal() {
      return inUnnamedPortal;
    }

    /** Binds, executes and closes a portal of its own. */
    byte[] inOwnPortal() {
      return inOwnPortal;
    }
  }
}
