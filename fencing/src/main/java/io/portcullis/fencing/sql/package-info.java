/**
 * What a statement may do, judged by its text alone.
 *
 * <p><b>Promised.</b> A text that is said to read changes nothing that others see, one that only
 * perhaps writes is held back by a read-only transaction, and one that ends a transaction or
 * commits within is told apart from both. Doubt is always decided for the graver verdict: a text
 * may be checked needlessly, never spared.
 *
 * <p><b>Assumed.</b> The text is in an encoding whose bytes below 128 are ASCII, as UTF-8's are. A
 * view, an operator, a cast, a function called by a column's notation or by the name of a harmless
 * built-in one does not write. What a function of the application's does beside the database's own
 * tables, such as to another server, no read-only transaction holds back.
 */
@NullMarked
package io.portcullis.fencing.sql;

import org.jspecify.annotations.NullMarked;
