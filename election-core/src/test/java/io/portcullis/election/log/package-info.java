/** What the election writes to its log, for tests that look at the lines. Nothing is printed. */
@NullMarked
package io.portcullis.election.log;

import org.jspecify.annotations.NullMarked;
