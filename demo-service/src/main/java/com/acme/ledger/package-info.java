/**
 * A small HTTP service that keeps a ledger of transfers, in a journal file or in Postgres.
 *
 * <p><b>Promised.</b> A transfer that was answered with 201 is stored. One that was answered with
 * 4xx or 503 is not. An id is the client's own mark: the ledger carries it and does not compare it
 * with earlier ones.
 *
 * <p><b>Assumed.</b> The file system appends a line that is written at once as a whole, also when
 * several processes write. Local ones do, NFS does not.
 */
package com.acme.ledger;
