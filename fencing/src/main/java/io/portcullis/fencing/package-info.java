/**
 * Fences a Postgres database: the database itself checks the epoch (the fencing token) inside the
 * application's own transactions.
 *
 * <p><b>Promised.</b> On a connection to a fenced database, no statement that may write is sent
 * before the server has been asked, in the same transaction, whether the epoch of the write is the
 * fence's current epoch. The lock that this check takes is held until the transaction ends, and
 * nobody can raise the fence meanwhile. So a transaction that writes either ends before a later
 * epoch is installed, or is refused, wherever its thread or its process was paused. A statement
 * that can't be checked is refused.
 *
 * <p><b>Assumed.</b> The server keeps what it acknowledged. All writers use a woven driver. No
 * view, operator or name of a built-in function hides a function that writes.
 *
 * <p>{@code protocol} parses a connection and injects the checks, {@code weave} makes a driver use
 * it, and {@code io.portcullis.gate.sql} classifies SQL statements by what they may do.
 */
@NullMarked
package io.portcullis.fencing;

import org.jspecify.annotations.NullMarked;
