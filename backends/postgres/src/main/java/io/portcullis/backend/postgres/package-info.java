/**
 * The lease of an election as one row of a Postgres table.
 *
 * <p>The row is authoritative; the advisory lock only reduces contention. A candidate takes the
 * lock first, so that several candidates do not compete for the row. A grant is a compare-and-set
 * on the row's epoch and beats, which the candidate has seen unchanged for a whole lease on its own
 * clock, or released. So neither a lock lost with its session nor a lock kept by a dead host can
 * lead to two open gates.
 *
 * <p>Assumes that the primary keeps what it acknowledged, see {@link
 * io.portcullis.backend.postgres.DatabaseIncarnation}. Does not rely on the server's clock. One
 * session, owned by one thread, holds the lock and sends heartbeats; followers read through a small
 * pool; notifications arrive on a third connection and are hints only.
 */
@NullMarked
package io.portcullis.backend.postgres;

import org.jspecify.annotations.NullMarked;
