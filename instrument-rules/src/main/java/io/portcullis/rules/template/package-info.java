/**
 * The code that is copied into gated methods, one class for each form that a gate can have.
 *
 * <p><b>Promised.</b> It calls the gate and the JDK, the forms for servlets also the servlet API of
 * the class they are copied into; so it runs in any class that finds the gate. It stands in the
 * method as it stands here: nothing is suppressed, and a call that entered tells the gate when it
 * ends. None of the classes is ever loaded in order to be called, and they can share no code, since
 * what is copied can't see them.
 */
@NullMarked
package io.portcullis.rules.template;

import org.jspecify.annotations.NullMarked;
