/**
 * A small HTTP service that keeps a ledger of transfers, in a journal file or in Postgres.
 *
 * <p><b>Promised.</b> A transfer whose response is 201 is stored. One whose response is 4xx or 503
 * is not. Ids are chosen by the client; the ledger stores them and does not check for duplicates.
 *
 * <p><b>Assumed.</b> The file system appends a line that is written with one call as a whole, even
 * if several processes write. Local file systems do, NFS does not.
 */
package com.acme.ledger;
