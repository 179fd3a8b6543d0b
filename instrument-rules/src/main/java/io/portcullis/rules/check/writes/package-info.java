/**
 * Which calls of write APIs in an application no rule keeps a standby from.
 *
 * <p><b>Promised.</b> A call counts as gated if its method is gated, if every way to its method
 * within the application's own classes leads through a gated method, or if all bodies that the call
 * can come to on the class path are gated themselves. In doubt it counts as not gated: a method
 * that others may call (it has no caller here, it implements a type of a library's, it carries an
 * annotation of one) is a way in.
 *
 * <p><b>Assumed.</b> A lambda, or a method that a reference names, belongs to the method that makes
 * it. A call on a type may come to any subtype's method.
 *
 * <p><b>Not promised.</b> Reflection, native code, classes made at run time, and APIs that are not
 * in {@code catalogue.txt} are not seen. An inner thread that a gated method starts is taken to be
 * inside it, though it may run on after leadership is lost.
 */
@NullMarked
package io.portcullis.rules.check.writes;

import org.jspecify.annotations.NullMarked;
