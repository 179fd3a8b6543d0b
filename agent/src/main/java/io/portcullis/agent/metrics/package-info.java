/**
 * Prometheus metrics, computed from the node's view at each scrape. This package keeps no counters
 * of its own.
 */
@NullMarked
package io.portcullis.agent.metrics;

import org.jspecify.annotations.NullMarked;
