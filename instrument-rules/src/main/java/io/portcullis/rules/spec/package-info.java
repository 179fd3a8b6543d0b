/**
 * A rule as somebody wrote it, and what is wrong with it.
 *
 * <p><b>Promised.</b> Values only: nothing is checked, looked up or changed here. Whoever checks a
 * rule says all that is wrong with it at once, key by key.
 */
@NullMarked
package io.portcullis.rules.spec;

import org.jspecify.annotations.NullMarked;
