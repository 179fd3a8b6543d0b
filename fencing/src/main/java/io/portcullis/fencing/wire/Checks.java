package io.portcullis.fencing.wire;

import io.portcullis.fencing.CheckFunctions;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The texts and messages by which the server is asked to compare the epoch. */
final class Checks {
  private static final String STATEMENT = "portcullis_check";
  private static final String OWN_PORTAL = "portcullis_check";
  private static final String NO_NAME = "";
  private static final int BIGINT = 20;
  private static final int BOOLEAN = 16;

  /** The driver is about to bind this one anew, so that nothing is left of ours. */
  private static final byte[] EXECUTE_UNNAMED = execute(NO_NAME);

  private static final byte[] EXECUTE_OWN = execute(OWN_PORTAL);
  private static final byte[] CLOSE_STATEMENT = close('S', STATEMENT);
  private static final byte[] CLOSE_PORTAL = close('P', OWN_PORTAL);

  private final CheckFunctions functions;
  private final String holder;
  private final byte[] parse;
  private final byte[] ownPortal = names(OWN_PORTAL);
  private final byte[] unnamedPortal = names(NO_NAME);

  Checks(CheckFunctions functions, String holder) {
    this.functions = functions;
    this.holder = holder;
    Bytes message = new Bytes();
    int mark = message.begin('P');
    message.addText(STATEMENT).addText(call("$1", "$2"));
    message.addShort(2).addInt(BIGINT).addInt(BOOLEAN);
    message.end(mark);
    parse = message.copy();
  }

  private static byte[] names(String portal) {
    Bytes head = new Bytes();
    head.addText(portal).addText(STATEMENT);
    // All parameters as text.
    head.addShort(0).addShort(2);
    return head.copy();
  }

  boolean areOf(@Nullable CheckFunctions others, String other) {
    return functions.equals(others) && holder.equals(other);
  }

  byte[] parse() {
    return parse;
  }

  byte[] closeStatement() {
    return CLOSE_STATEMENT;
  }

  /** The message that binds the parameters, to the portal without a name or to our own. */
  void bind(Bytes to, long epoch, boolean maybe, boolean unnamed) {
    int mark = to.begin('B');
    to.add(unnamed ? unnamedPortal : ownPortal);
    byte[] digits = Long.toString(epoch).getBytes(StandardCharsets.US_ASCII);
    to.addInt(digits.length).add(digits);
    to.addInt(1).add(maybe ? 't' : 'f');
    to.addShort(0);
    to.end(mark);
  }

  byte[] execute(boolean unnamed) {
    return unnamed ? EXECUTE_UNNAMED : EXECUTE_OWN;
  }

  byte[] closePortal() {
    return CLOSE_PORTAL;
  }

  /** The text that compares, to stand before others. */
  String text(long epoch, boolean maybe) {
    return call(Long.toString(epoch), Boolean.toString(maybe));
  }

  /**
   * The text that compares and holds the fence for the session. It answers with no row, and holds
   * nothing, if the session is not the one that the driver was connected to: behind a pooler that
   * changes sessions, what is held would not protect the statement that follows.
   */
  String hold(long epoch, int backendPid) {
    return "SELECT "
        + functions.hold()
        + "("
        + literal(functions.scope())
        + ", "
        + epoch
        + ", "
        + literal(holder)
        + ") WHERE pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) "
        + backendPid;
  }

  /** The text that lets go of what {@link #hold} held. */
  String letGo() {
    return "SELECT " + functions.letGo() + "(" + literal(functions.scope()) + ")";
  }

  private String call(String epoch, String maybe) {
    return "SELECT "
        + functions.check()
        + "("
        + literal(functions.scope())
        + ", "
        + epoch
        + ", "
        + literal(holder)
        + ", "
        + maybe
        + ")";
  }

  /** The same under every setting for backslashes. */
  private static String literal(String text) {
    String quoted = text.replace("'", "''");
    return text.indexOf('\\') < 0 ? "'" + quoted + "'" : "E'" + quoted.replace("\\", "\\\\") + "'";
  }

  private static byte[] execute(String portal) {
    Bytes message = new Bytes();
    int mark = message.begin('E');
    message.addText(portal).addInt(0);
    message.end(mark);
    return message.copy();
  }

  private static byte[] close(char what, String name) {
    Bytes message = new Bytes();
    int mark = message.begin('C');
    message.add(what).addText(name);
    message.end(mark);
    return message.copy();
  }
}
