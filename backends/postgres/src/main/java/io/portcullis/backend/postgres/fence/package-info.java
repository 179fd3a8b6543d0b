/**
 * The fence of an election in a Postgres database: a row that says under which epoch, and by whom,
 * may be written, and functions that compare it within the application's own transactions.
 *
 * <p>Promise: the row only rises. Once it is answered that it stands at an epoch, every transaction
 * that passed the comparison under an older one has ended. That is so because who compares keeps a
 * shared lock to its transaction's end, and who raises the row holds it exclusively: an advisory
 * lock under READ COMMITTED, where each statement sees the newest row, and the row's own lock under
 * REPEATABLE READ and SERIALIZABLE, where only a lock on the row notices that the snapshot is old.
 * The one who raises takes both. What keeps a lock for too long is ended by the server.
 *
 * <p>Assumes that the primary keeps what it acknowledged.
 */
@NullMarked
package io.portcullis.backend.postgres.fence;

import org.jspecify.annotations.NullMarked;
