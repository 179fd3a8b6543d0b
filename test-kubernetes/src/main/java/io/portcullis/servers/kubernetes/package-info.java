/**
 * A Kubernetes API for tests: a supplied cluster, or a server inside this JVM with fault injection.
 *
 * <p>Promises: the {@link io.portcullis.servers.kubernetes.ApiServer} listens only on the loopback
 * address, on its own port, and leaves neither thread nor file behind once it is closed. For Leases
 * it promises what an elector relies on: each write has its own resourceVersion; a write that names
 * an old one, or another uid, changes nothing; of concurrent writes one wins; a watch sends every
 * change after the version it starts from, once, in order. It rejects what a real API server
 * rejects about a Lease, with the same code and reason. Faults apply from the moment their setter
 * returns, on open connections too.
 *
 * <p>Objects are stored by fabric8's mock; HTTP, websockets, watches, checks and faults are
 * implemented here.
 *
 * <p>It differs from a real API server as follows: only HTTP 1.1 and JSON; only Leases, Pods,
 * ConfigMaps, Events and reviews of the client's own rights, no discovery; any namespace exists; a
 * token is either accepted or not, and every right is granted that no fault forbids; Pods,
 * ConfigMaps and Events are not checked beyond names, labels and annotations; a strategic merge
 * patch is treated as a merge patch; no server-side apply, no managedFields, no dry run, no
 * bookmarks, no list pages, no warnings about unknown fields (they are dropped from a Lease's spec
 * anyway); names of labels and sizes of annotations are not checked; a version from the future is
 * not rejected; message texts are similar, not equal; a watch may end only after an hour.
 */
@NullMarked
package io.portcullis.servers.kubernetes;

import org.jspecify.annotations.NullMarked;
