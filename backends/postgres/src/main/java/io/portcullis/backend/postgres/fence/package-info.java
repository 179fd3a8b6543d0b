/**
 * The fence of an election in a Postgres database: a row with the epoch and the holder that may
 * write, and functions that check it within the application's own transactions.
 *
 * <p><b>Promised.</b> The epoch of the row never decreases. Once a raise to an epoch is
 * acknowledged, every transaction that passed the epoch check under an older epoch has ended. The
 * reason is an advisory lock: a transaction that passes the check holds it shared until its end,
 * and a raise holds it exclusively. Under REPEATABLE READ and SERIALIZABLE, where a snapshot may be
 * older than the lock, the check also requires that the row's {@code xmax} is 0, see {@link
 * io.portcullis.backend.postgres.fence.FenceTable}. The server terminates sessions that keep the
 * lock for too long.
 *
 * <p><b>Assumed.</b> The primary keeps the commits that it acknowledged.
 */
@NullMarked
package io.portcullis.backend.postgres.fence;

import org.jspecify.annotations.NullMarked;
