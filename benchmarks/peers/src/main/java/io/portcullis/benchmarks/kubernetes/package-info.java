/**
 * Measures how soon another node leads on a Kubernetes Lease, and the load on the API server: the
 * agent compared with fabric8's elector, with equal settings, over HTTP, each node in a separate
 * JVM.
 */
@NullMarked
package io.portcullis.benchmarks.kubernetes;

import org.jspecify.annotations.NullMarked;
