/**
 * Where a voter keeps its ballot. What was saved is found again after a crash, or it is said that
 * it can't be: never an older ballot, never an empty one in its place.
 *
 * <p>It is assumed that a disk keeps what it has confirmed, and that nobody puts an older copy of
 * the folder in its place. Neither can be seen from here.
 */
@NullMarked
package io.portcullis.backend.quorum.disk;

import org.jspecify.annotations.NullMarked;
