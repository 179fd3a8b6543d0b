/**
 * The quorum backend: the nodes of a service elect the leader among themselves, without an external
 * store. This package reads and validates the settings of {@code backend = quorum}, runs one member
 * per election on its own thread, and offers it to the election as a lease store.
 */
@NullMarked
package io.portcullis.backend.quorum;

import org.jspecify.annotations.NullMarked;
