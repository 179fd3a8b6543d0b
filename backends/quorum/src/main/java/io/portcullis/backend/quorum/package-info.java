/**
 * Elections among the nodes themselves, without a store beside them. Holds what a configuration
 * with {@code backend = quorum} says, found to be right as a whole.
 */
@NullMarked
package io.portcullis.backend.quorum;

import org.jspecify.annotations.NullMarked;
