/**
 * A JVM with an open gate is stopped beyond its deadline and continued.
 *
 * <p>The harness is two processes. The parent ({@link io.portcullis.it.freeze.FreezeHarness}) sends
 * the signals; the child ({@link io.portcullis.it.freeze.CallLoopJvm}) calls a guard in eight
 * threads and counts. They exchange lines over the child's standard streams:
 *
 * <pre>
 * parent  arm 3 400           open under epoch 3 for 400 ms, and start the threads
 * child   armed 391402        every thread has passed, or the time is over; microseconds left
 * parent  report              (after the freeze)
 * child   report epoch=3 passed=81734 ... once every thread was refused, or none will be
 * </pre>
 *
 * <p>The child ends when its standard input does.
 */
package io.portcullis.it.freeze;
