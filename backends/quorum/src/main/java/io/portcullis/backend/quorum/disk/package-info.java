/**
 * Where a voter keeps its ballot. What was saved is found again after a crash, or it is said that
 * it can't be: never an older ballot, never an empty one in its place.
 */
@NullMarked
package io.portcullis.backend.quorum.disk;

import org.jspecify.annotations.NullMarked;
