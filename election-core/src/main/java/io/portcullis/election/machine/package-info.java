/**
 * The election as a pure machine, for every store that leases.
 *
 * <p>Nothing in here knows a clock, thread, socket, file, log or random number: the present {@link
 * io.portcullis.election.machine.StepContext} and one {@link io.portcullis.election.machine.Input}
 * go in, a new {@link io.portcullis.election.machine.Role} and a list of {@link
 * io.portcullis.election.machine.Effect effects} come out. So the same code runs in production and,
 * by the million steps, in the simulation.
 *
 * <p>Promise: at most one node's gate is open at any moment, under epochs that only rise. Assumed:
 * clocks run at rates within {@code drift} of real time, and the store keeps what it acknowledged
 * or shows by its incarnation or its epoch that it did not. Where each of the nine invariants
 * lives:
 *
 * <ol>
 *   <li>One gate: the argument stands on {@link io.portcullis.election.machine.Grant}.
 *   <li>Epochs rise: {@link io.portcullis.election.store.Claim#nextEpoch}, checked again in {@link
 *       io.portcullis.election.machine.Standby} and in the {@link
 *       io.portcullis.election.machine.ElectionMachine}.
 *   <li>Shut when in doubt: an unknown answer leaves the deadline alone ({@link
 *       io.portcullis.election.machine.Leading}); a bug shuts the gate in the engine.
 *   <li>Shutting needs nobody: the deadline is inside what {@link
 *       io.portcullis.election.machine.Effect.OpenGate} hands out; the two clocks are compared by
 *       {@link io.portcullis.election.machine.ClockReading#disagreesWith}.
 *   <li>Letting go: {@link io.portcullis.election.machine.Draining}, then {@link
 *       io.portcullis.election.machine.Releasing}.
 *   <li>Taking over: {@link io.portcullis.election.store.Claim#mayTake}, fed by {@link
 *       io.portcullis.election.machine.ObservedRecord#hasEndedBy}.
 *   <li>No reopening: {@link io.portcullis.election.machine.Memory#spentEpoch}.
 *   <li>Both ends of a request: {@link io.portcullis.election.machine.RequestInFlight}.
 *   <li>The holder's lease, not mine: {@link io.portcullis.election.machine.ObservedRecord#of}.
 * </ol>
 */
@NullMarked
package io.portcullis.election.machine;

import org.jspecify.annotations.NullMarked;
