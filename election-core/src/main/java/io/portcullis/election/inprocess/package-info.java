/**
 * A lease store for elections within one process: for trying the library out and for an
 * application's own tests. It keeps the promises of every store, but loses its state when the
 * process ends.
 */
@NullMarked
package io.portcullis.election.inprocess;

import org.jspecify.annotations.NullMarked;
