package io.portcullis.agent.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Who this node is.
 *
 * @param id what its identity begins with
 * @param advertise where it can be reached while it leads
 * @param priority which of several nodes is preferred: the one with the highest
 * @param priorityAfter for how long a preferred node must have been well before a leader gives way
 */
public record NodeSection(
    String id, @Nullable String advertise, int priority, Duration priorityAfter) {}
