/**
 * The election as a pure state machine, for every store that grants leases.
 *
 * <p>Nothing in this package uses a clock, thread, socket, file, log or random number. Its inputs
 * are the current {@link io.portcullis.election.machine.StepContext} and one {@link
 * io.portcullis.election.machine.Input}; its outputs are a new {@link
 * io.portcullis.election.machine.Role} and a list of {@link io.portcullis.election.machine.Effect
 * effects}. So the same code runs in production and, for millions of steps, in the simulation.
 *
 * <p>Promise: at most one node's gate is open at any moment, under epochs that only rise. Assumed:
 * clocks run at rates within {@code drift} of real time, and the store keeps what it acknowledged
 * or shows by its incarnation or its epoch that it did not. The nine invariants are implemented in
 * these places:
 *
 * <ol>
 *   <li>One gate: the argument is on {@link io.portcullis.election.machine.Grant}.
 *   <li>Epochs rise: {@link io.portcullis.election.store.Claim#nextEpoch}, checked again in {@link
 *       io.portcullis.election.machine.Standby} and in the {@link
 *       io.portcullis.election.machine.ElectionMachine}.
 *   <li>Shut when in doubt: an unknown response leaves the deadline unchanged ({@link
 *       io.portcullis.election.machine.Leading}); a bug shuts the gate in the engine.
 *   <li>Shutting needs no other thread or node: the deadline is part of the {@link
 *       io.portcullis.election.machine.Effect.OpenGate} effect; the two clocks are compared by
 *       {@link io.portcullis.election.machine.StepContext.ClockReading#disagreesWith}.
 *   <li>Giving up leadership: {@link io.portcullis.election.machine.Draining}, then {@link
 *       io.portcullis.election.machine.Releasing}.
 *   <li>Taking over: {@link io.portcullis.election.store.Claim#mayTake}, based on {@link
 *       io.portcullis.election.machine.ObservedRecord#hasEndedBy}.
 *   <li>No reopening: {@link io.portcullis.election.machine.Memory#spentEpoch}.
 *   <li>Both ends of a request: {@link io.portcullis.election.machine.RequestInFlight}.
 *   <li>The holder's lease, not this node's: {@link
 *       io.portcullis.election.machine.ObservedRecord#of}.
 * </ol>
 */
@NullMarked
package io.portcullis.election.machine;

import org.jspecify.annotations.NullMarked;
