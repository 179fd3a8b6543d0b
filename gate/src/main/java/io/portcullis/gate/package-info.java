/**
 * The gate: the few classes that woven code calls, and {@link io.portcullis.gate.Leadership} for
 * application code that wants to ask.
 *
 * <p><b>Promised.</b> A call that begins after the deadline of the last permit, or after the gate
 * was shut, is refused, on every thread, whatever else in this JVM is stopped, starved or broken:
 * each call compares the deadline with the monotonic clock itself. A gate is shut until it is
 * opened, and a call that names no installed rule is refused. Once a gate is shut and no call is in
 * flight, no body runs that it let in, and where a method is declared to return a {@code
 * CompletionStage} or {@code CompletableFuture}, what it returned is done. A call of a rule that
 * rechecks does not end normally unless the gate was open under the call's own epoch when it ended.
 * A thread is interrupted only while it is within a call of a rule that interrupts, once for each
 * loss, and a call that waits is in nobody's way.
 *
 * <p><b>Assumed.</b> The monotonic clock goes on while threads or the whole process are stopped.
 * Whoever opens the gate sets deadlines that end before any other node may act. A rule that only
 * observes gives up the promise for its own calls.
 *
 * <p><b>Not promised.</b> Work that a call hands to other threads and tells nobody of, or that goes
 * on after its future was completed or cancelled, is not in flight. A future that is never done
 * stays in flight for ever. A call that has passed the gate is not stopped by it. A thread that is
 * paused right after passing may write later, when another node leads; only a resource that
 * compares epochs refuses that write. Nor does the gate help where a machine is suspended together
 * with its monotonic clock.
 *
 * <p>The classes live on the bootstrap class loader and use {@code java.base} alone.
 */
package io.portcullis.gate;
