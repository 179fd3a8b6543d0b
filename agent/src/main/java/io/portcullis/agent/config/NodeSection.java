package io.portcullis.agent.config;

import org.jspecify.annotations.Nullable;

/**
 * Who this node is.
 *
 * @param id what its identity begins with
 * @param advertise where it can be reached while it leads
 */
public record NodeSection(String id, @Nullable String advertise) {}
