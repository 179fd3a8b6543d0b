/**
 * What a fence costs a service: the same gated transactions and the same reads, with a fence and
 * without, in two JVMs that take turns at one database.
 */
@NullMarked
package io.portcullis.benchmarks.fencing;

import org.jspecify.annotations.NullMarked;
