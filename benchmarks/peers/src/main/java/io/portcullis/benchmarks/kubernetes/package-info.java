/**
 * How soon another node leads on a Kubernetes Lease, and what that costs the API server: the agent
 * beside fabric8's elector, with equal settings, over HTTP, each node a JVM of its own.
 */
@NullMarked
package io.portcullis.benchmarks.kubernetes;

import org.jspecify.annotations.NullMarked;
