/**
 * The last gate: the epoch, compared by the database inside the application's own transactions.
 *
 * <p><b>Promised.</b> On a line to a fenced database, nothing that may write is sent before the
 * server was asked, in the same transaction, whether the epoch it is written under is the one that
 * the fence stands at; and what the server then holds until the transaction's end keeps the fence
 * from being raised meanwhile. So a transaction that writes ends before a later epoch is installed,
 * or is refused, wherever its thread or its process was stopped. What can't be compared is refused.
 *
 * <p><b>Assumed.</b> The server keeps what it acknowledged. All writers speak through a woven
 * driver. A view, an operator or a built-in function's name hides no function that writes.
 *
 * <p>How a connection is followed is told in {@code wire}, what a text may do in {@code sql}, and
 * how a driver comes to speak through it in {@code weave}.
 */
@NullMarked
package io.portcullis.fencing;

import org.jspecify.annotations.NullMarked;
