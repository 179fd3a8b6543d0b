/**
 * The lease of an election in Redis.
 *
 * <p>Keeps the promises of {@link io.portcullis.election.store.LeaseStore} as long as the primary
 * keeps what it acknowledged and its clock is not stepped forward. Every change is one script on
 * one connection; nothing is sent twice, buffered while disconnected, or read from a replica. If a
 * failover may lose acknowledged writes, {@code replicas} makes a grant wait for replicas; if that
 * is 0, the promises do not cover an old primary that still serves its leader.
 *
 * <p>The client is Lettuce, used below its command interfaces: {@code LettuceConnector} opens
 * connections, {@code RedisConnection} dispatches commands. Reading settings loads none of its
 * classes: they are loaded when a store is opened, on the store's own thread.
 */
@NullMarked
package io.portcullis.backend.redis;

import org.jspecify.annotations.NullMarked;
