/** Captures the election's log for tests that check its lines. Prints nothing. */
@NullMarked
package io.portcullis.election.log;

import org.jspecify.annotations.NullMarked;
