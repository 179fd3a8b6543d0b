/**
 * The lease of an election as one row of a Postgres table.
 *
 * <p>The row decides, the advisory lock keeps order. Whoever wants to lead takes the lock first, so
 * that a crowd of candidates does not fight over the row; but what is granted is granted by a
 * compare-and-set on the row's epoch and beats, which the candidate has seen unchanged for a whole
 * lease on its own clock, or released. So neither a lock lost with its session nor one that a dead
 * host keeps can lead to two open gates.
 *
 * <p>Assumes that the primary keeps what it acknowledged, see {@link
 * io.portcullis.backend.postgres.DatabaseIncarnation}. Nothing rests on the server's clock. One
 * session, owned by one thread, holds the lock and beats; followers read by a small pool; news come
 * by a third connection and are hints only.
 */
@NullMarked
package io.portcullis.backend.postgres;

import org.jspecify.annotations.NullMarked;
