/**
 * A store for elections within one process: for trying the library out and for an application's own
 * tests. It promises what every store must, and forgets all when the process ends.
 */
@NullMarked
package io.portcullis.election.inprocess;

import org.jspecify.annotations.NullMarked;
