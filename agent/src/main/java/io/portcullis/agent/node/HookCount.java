package io.portcullis.agent.node;

/**
 * How often calls of hooks came to one end.
 *
 * @param hook what they were for: started, stopped or new-leader
 * @param result done, failed, timed_out, missing or dropped
 * @param count how many
 */
public record HookCount(String hook, String result, long count) {}
