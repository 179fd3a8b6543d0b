/**
 * The gate: the few classes that woven code calls, and {@link io.portcullis.gate.Leadership} for
 * application code.
 *
 * <p><b>Promised.</b> A call that begins after the deadline of the last permit, or after the gate
 * was shut, is refused, on every thread, whatever else in this JVM is stopped, starved or broken:
 * each call compares the deadline with the monotonic clock itself. A gate is shut until it is
 * opened, and a call that names no installed rule is refused. Once a gate is shut and no call is in
 * flight, no body that it admitted is running, and if a method is declared to return a {@code
 * CompletionStage} or {@code CompletableFuture}, the returned future is done. A call of a rule that
 * rechecks does not end normally unless the gate was open under the call's own epoch when it ended.
 * A thread is interrupted only while it is in a call of a rule that interrupts, once for each loss.
 * A waiting call blocks no other call.
 *
 * <p><b>Assumed.</b> The monotonic clock continues while threads or the whole process are stopped.
 * The code that opens the gate sets deadlines that end before any other node may act. A rule that
 * only observes gives up the promise for its own calls.
 *
 * <p><b>Not promised.</b> Work that a call passes to other threads without returning a future for
 * it, or that continues after its future was completed or cancelled, is not in flight. A future
 * that never completes stays in flight forever. A call that has passed the gate is not stopped by
 * it. A thread that is paused right after passing may write later, when another node leads; only a
 * resource that checks epochs refuses that write. Nor does the gate help if a machine is suspended
 * together with its monotonic clock.
 *
 * <p>The classes are on the bootstrap class loader and use only {@code java.base}.
 */
package io.portcullis.gate;
