/**
 * The figures for Prometheus, taken from the views when they are scraped: nothing is counted twice.
 */
@NullMarked
package io.portcullis.agent.metrics;

import org.jspecify.annotations.NullMarked;
