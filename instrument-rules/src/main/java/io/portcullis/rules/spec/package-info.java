/**
 * A rule as configured, and the problems found in it.
 *
 * <p><b>Promised.</b> Values only: nothing is checked, looked up or changed here. The check of a
 * rule reports all its problems at once, key by key.
 */
@NullMarked
package io.portcullis.rules.spec;

import org.jspecify.annotations.NullMarked;
