package io.portcullis.fencing.wire;

import io.portcullis.fencing.CheckFunctions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The texts and messages by which the server is asked to compare the epoch.
 *
 * <p>The prepared statement is named by its text. Behind a pooler other services and nodes prepare
 * theirs in the same session, and under one name for all a line would have theirs executed: a check
 * of another fence, or one in another node's name.
 */
final class Checks {
  private static final String PORTAL = "portcullis_check";
  private static final int DIGEST_BYTES = 12;
  private static final int BIGINT = 20;
  private static final int BOOLEAN = 16;

  private static final byte[] EXECUTE = execute();
  private static final byte[] CLOSE_PORTAL = close('P', PORTAL);

  private final CheckFunctions functions;
  private final String holder;
  private final byte[] closeStatement;
  private final byte[] parse;
  private final byte[] bindHead;

  Checks(CheckFunctions functions, String holder) {
    this.functions = functions;
    this.holder = holder;
    String text = call("$1", "$2");
    String statement = name(text);
    closeStatement = close('S', statement);
    Bytes message = new Bytes();
    int mark = message.begin('P');
    message.addText(statement).addText(text);
    message.addShort(2).addInt(BIGINT).addInt(BOOLEAN);
    message.end(mark);
    parse = message.copy();
    Bytes head = new Bytes();
    head.addText(PORTAL).addText(statement);
    // All parameters as text.
    head.addShort(0).addShort(2);
    bindHead = head.copy();
  }

  boolean areOf(@Nullable CheckFunctions others, String other) {
    return functions.equals(others) && holder.equals(other);
  }

  byte[] parse() {
    return parse;
  }

  byte[] closeStatement() {
    return closeStatement;
  }

  /** The message that binds the parameters. */
  void bind(Bytes to, long epoch, boolean maybe) {
    int mark = to.begin('B');
    to.add(bindHead);
    byte[] digits = Long.toString(epoch).getBytes(StandardCharsets.US_ASCII);
    to.addInt(digits.length).add(digits);
    to.addInt(1).add(maybe ? 't' : 'f');
    to.addShort(0);
    to.end(mark);
  }

  byte[] executePortal() {
    return EXECUTE;
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
   *
   * <p>By default the session's transactions may be read-only, or see what was before the lock. So
   * this one says itself what it is.
   */
  String hold(long epoch, int backendPid) {
    return "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE; SELECT "
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

  private static String name(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      byte[] start = Arrays.copyOf(digest, DIGEST_BYTES);
      return "portcullis_check_" + Base64.getUrlEncoder().encodeToString(start);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static byte[] execute() {
    Bytes message = new Bytes();
    int mark = message.begin('E');
    message.addText(PORTAL).addInt(0);
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
