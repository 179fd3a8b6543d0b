package io.portcullis.election.contract;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Faults of a network that a test controls.
 *
 * @param dropSilently forwards nothing in either direction, and signals no end of a connection
 * @param dropReplies forwards requests, and drops their responses
 * @param delay delays everything, in both directions, by this time
 * @param heal ends all faults; delayed data arrives late
 */
public record NetworkFaults(
    Runnable dropSilently, Runnable dropReplies, Consumer<Duration> delay, Runnable heal) {}
