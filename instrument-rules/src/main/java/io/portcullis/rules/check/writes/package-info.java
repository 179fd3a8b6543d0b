/**
 * Finds calls of write APIs in an application that a standby can make because no rule gates them.
 *
 * <p><b>Promised.</b> A call counts as gated if its method is gated, if every call path to its
 * method within the application's own classes leads through a gated method, or if all bodies that
 * the call can reach on the class path are gated themselves. In doubt it counts as not gated: a
 * method that code outside the application may call (it has no caller here, it implements a type of
 * a library, it carries an annotation of a library) is an entry point.
 *
 * <p><b>Assumed.</b> A lambda, or the target of a method reference, belongs to the method that
 * creates it. A call on a type may reach any subtype's method.
 *
 * <p><b>Not promised.</b> Reflection, native code, classes generated at run time, and APIs that are
 * not in {@code catalogue.txt} are not seen. A thread that a gated method starts is assumed to be
 * inside that method, though it may keep running after leadership is lost.
 */
@NullMarked
package io.portcullis.rules.check.writes;

import org.jspecify.annotations.NullMarked;
