package io.portcullis.demo;

/**
 * One write that was asked for.
 *
 * @param writer the process that was asked
 * @param answeredAtNanos when the outcome was known, on this JVM's monotonic clock
 */
record WriteAttempt(String id, String writer, WriteOutcome outcome, long answeredAtNanos) {}
