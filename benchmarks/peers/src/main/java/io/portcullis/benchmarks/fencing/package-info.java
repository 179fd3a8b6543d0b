/**
 * Measures the cost of a fence for a service: the same gated transactions and the same reads, with
 * and without a fence, in two JVMs that alternate on one database.
 */
@NullMarked
package io.portcullis.benchmarks.fencing;

import org.jspecify.annotations.NullMarked;
