/**
 * Creates all threads.
 *
 * <p>Promise: a thread made here inherits nothing from the thread that made it, so it keeps no
 * class loader of the application alive, and only its owner can interrupt it.
 *
 * <p>Not promised: that code which runs on such a thread, such as a listener, leaves it as it was.
 */
@NullMarked
package io.portcullis.election.threads;

import org.jspecify.annotations.NullMarked;
