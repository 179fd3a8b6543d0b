package io.portcullis.election.contract;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What can be done to a network on demand.
 *
 * @param dropSilently lets nothing through either way, and tells of no end
 * @param dropReplies lets requests through, and loses their replies
 * @param delay holds back everything, each way, for so long
 * @param heal ends all faults; what was held back arrives, late
 */
public record NetworkFaults(
    Runnable dropSilently, Runnable dropReplies, Consumer<Duration> delay, Runnable heal) {}
