/**
 * A line between a driver and a Postgres server, followed by the documented protocol (version 3).
 *
 * <p><b>Promised.</b> Before the first statement of a transaction that may write, the server is
 * asked to compare the epoch, within the same transaction, and what it answers is kept from the
 * driver unless it refuses. A comparison counts only as long as the transaction in which it was
 * made surely goes on: whatever may have ended it, or is not understood, leads to another one. What
 * can't be compared so is refused: the server is sent a statement that fails in its place, so that
 * it rolls back as after any error. Where the two sides say what does not fit, the line is cut.
 *
 * <p><b>Assumed.</b> The server keeps to the protocol, and skips what follows an error up to the
 * next Sync. Nothing inside a procedure unlocks the session's advisory locks.
 *
 * <p>Statements are known by the texts that the server has acknowledged. {@code FrontendMessages}
 * follows what the driver says and {@code BackendMessages} what the server answers; both know no
 * socket. A {@code Wire} joins them to one.
 */
@NullMarked
package io.portcullis.fencing.protocol;

import org.jspecify.annotations.NullMarked;
