package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase.CheckFunctions;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The texts by which the server is asked to compare an epoch.
 *
 * <p>Every argument is cast to the exact type of the parameter. Otherwise any role that may create
 * functions in the same schema could overload the function with types that match better, and its
 * own would be called instead.
 */
final class EpochCheckSql {
  private final CheckFunctions functions;
  private final String holder;

  /** The last that were asked for: before what writes, and before what perhaps does. */
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

    EpochCheck of(long asked) {
      EpochCheck known = check;
      if (known == null || epoch != asked) {
        known = new EpochCheck(call(asked, maybe));
        check = known;
        epoch = asked;
      }
      return known;
    }
  }

  boolean areOf(@Nullable CheckFunctions others, String other) {
    return functions.equals(others) && holder.equals(other);
  }

  /** The comparison of this epoch; the same object for as long as the epoch stays. */
  EpochCheck check(long epoch, boolean perhaps) {
    return (perhaps ? maybe : sure).of(epoch);
  }

  /**
   * The text that compares and holds the fence for the session. It answers with no row, and holds
   * nothing, if the session is not the one that the driver was connected to: behind a pooler that
   * changes sessions, what is held would not protect the statement that follows.
   *
   * <p>By default the session's transactions may be read-only, or see what was before the lock. So
   * this one says itself what it is.
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

  /** The text that lets go of what {@link #hold} held. */
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

  /** The same under every setting for backslashes. */
  private static String literal(String text) {
    String quoted = text.replace("'", "''");
    return text.indexOf('\\') < 0 ? "'" + quoted + "'" : "E'" + quoted.replace("\\", "\\\\") + "'";
  }

  /**
   * One comparison, of one epoch, ready to be sent.
   *
   * <p>The server knows it as a prepared statement whose name tells its text: behind a pooler that
   * hands sessions around, nobody's comparison can be taken for another's.
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

    /** The text that compares, to stand before others. */
    String text() {
      return text;
    }

    /** Closing what is not there is no error, preparing what is there would be. */
    byte[] closeStatement() {
      return closeStatement;
    }

    byte[] parse() {
      return parse;
    }

    /** Binds and executes; the driver is about to bind that portal anew. */
    byte[] inUnnamedPortal() {
      return inUnnamedPortal;
    }

    /** Binds, executes and closes. */
    byte[] inOwnPortal() {
      return inOwnPortal;
    }
  }
}
