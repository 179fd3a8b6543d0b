/**
 * Creates all threads.
 *
 * <p>Promise: a thread created here inherits nothing from the thread that created it, so it keeps
 * no application class loader alive, and only its owner can interrupt it.
 *
 * <p>Not promised: that code which runs on such a thread, such as a listener, leaves the thread's
 * state unchanged.
 */
@NullMarked
package io.portcullis.election.threads;

import org.jspecify.annotations.NullMarked;
