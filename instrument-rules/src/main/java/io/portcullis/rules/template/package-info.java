/**
 * Templates that are copied into gated methods, one class for each form of gate. Variants of a form
 * are nested in its class.
 *
 * <p><b>Promised.</b> Templates call only the gate and the JDK; those for servlets also call the
 * servlet API of the class they are copied into. So they run in any class that finds the gate. The
 * code is copied unchanged: no exception is suppressed, and a call that entered notifies the gate
 * when it ends. None of the classes is ever loaded to be called. They can share no code, because
 * the copied code can't see them.
 */
@NullMarked
package io.portcullis.rules.template;

import org.jspecify.annotations.NullMarked;
