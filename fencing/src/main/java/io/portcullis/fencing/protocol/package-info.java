/**
 * Parses the connection between a driver and a Postgres server (documented protocol, version 3) and
 * injects epoch checks.
 *
 * <p><b>Promised.</b> Before the first statement of a transaction that may write, the server is
 * asked to check the epoch, within the same transaction. The driver does not see the response
 * unless the server refuses. A check counts only while the transaction in which it was made
 * certainly continues: anything that may have ended the transaction, or that is not understood,
 * leads to another check. A statement that can't be checked like this is refused: a statement that
 * fails is sent to the server in its place, and the server rolls back as after any error. If the
 * messages of the two sides do not match, the connection is closed.
 *
 * <p><b>Assumed.</b> The server conforms to the protocol, and skips the messages after an error up
 * to the next Sync. Nothing inside a procedure unlocks the session's advisory locks.
 *
 * <p>Prepared statements are classified by the SQL that the server has acknowledged. {@code
 * FrontendMessages} parses the driver's messages and {@code BackendMessages} the server's; neither
 * uses a socket. {@code FencedConnection} connects them to one. A <i>group</i> is all messages up
 * to and including one to which the server responds with ReadyForQuery (Sync, Query, FunctionCall).
 */
@NullMarked
package io.portcullis.fencing.protocol;

import org.jspecify.annotations.NullMarked;
