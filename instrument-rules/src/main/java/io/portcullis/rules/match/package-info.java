/**
 * Match patterns: which methods a rule means.
 *
 * <p><b>Promised.</b> A pattern is judged by names and descriptors alone, as they stand in the
 * class file; nothing is loaded, read or looked up. What a pattern can't mean yet is refused when
 * it is parsed and never silently narrowed.
 */
@NullMarked
package io.portcullis.rules.match;

import org.jspecify.annotations.NullMarked;
