/**
 * The lease of an election in Redis.
 *
 * <p>Promises what {@link io.portcullis.election.store.LeaseStore} demands, as long as the primary
 * that answers keeps what it acknowledged and its clock is not stepped forward. Every change is one
 * script on one connection; nothing is ever sent twice, buffered while disconnected, or read from a
 * replica. Where a failover may lose acknowledged writes, {@code replicas} makes a grant wait for
 * them; where it is 0, an old primary that still serves its leader is outside the promise.
 *
 * <p>Reading a configuration loads no class of the Redis client: that happens when a store is
 * opened.
 */
@NullMarked
package io.portcullis.backend.redis;

import org.jspecify.annotations.NullMarked;
