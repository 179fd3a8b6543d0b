package io.portcullis.fencing.protocol;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * One comparison, of one epoch, ready to be sent.
 *
 * <p>The server knows it as a prepared statement whose name tells its text: behind a pooler that
 * hands sessions around, nobody's comparison can be taken for another's.
 */
final class EpochCheck {
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
