/**
 * Stores a voter's ballot on disk. After a crash the saved ballot is found again, or an error is
 * reported: an older or an empty ballot is never returned in its place.
 *
 * <p>This package assumes that a disk keeps what it has confirmed and that the folder is never
 * replaced by an older copy. It can detect neither.
 */
@NullMarked
package io.portcullis.backend.quorum.disk;

import org.jspecify.annotations.NullMarked;
