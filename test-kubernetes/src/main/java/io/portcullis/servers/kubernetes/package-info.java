/**
 * A Kubernetes API for tests: a cluster that was given, or one inside this JVM that fails on
 * demand.
 *
 * <p>Promises: the {@link io.portcullis.servers.kubernetes.ApiServer} listens on the loopback
 * address only, on a port of its own, and leaves neither thread nor file behind once it is closed.
 * Of Leases it promises what an elector relies on: each write has its own resourceVersion; a write
 * that names an old one, or another uid, changes nothing; of racing writes one wins; a watch sends
 * every change after the version it starts from, once, in order. It refuses what a real API server
 * refuses about a Lease, with the same code and reason. Faults hold from the moment their setter
 * returns, on open connections too.
 *
 * <p>Objects are kept by fabric8's mock; HTTP, websockets, watches, checks and faults are here.
 *
 * <p>It differs from a real API server in this: HTTP 1.1 only, JSON only; Leases, Pods, ConfigMaps,
 * Events and reviews of the own rights only, no discovery; any namespace is there; a token is
 * either accepted or not, and rights are what no fault forbids; Pods, ConfigMaps and Events are not
 * checked beyond names, labels and annotations; a strategic merge patch is taken for a merge patch;
 * no server-side apply, no managedFields, no dry run, no bookmarks, no pages of lists, no warnings
 * about unknown fields (they are dropped from a Lease's spec all the same); names of labels and
 * sizes of annotations are not checked; a version from the future is not refused; texts of messages
 * are similar, not equal; a watch may end only after an hour.
 */
@NullMarked
package io.portcullis.servers.kubernetes;

import org.jspecify.annotations.NullMarked;
