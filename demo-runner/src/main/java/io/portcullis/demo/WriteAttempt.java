package io.portcullis.demo;

/**
 * One write requested by a client.
 *
 * @param writer the process that received the request
 * @param answeredAtNanos time of the outcome on this JVM's monotonic clock
 */
record WriteAttempt(String id, String writer, WriteOutcome outcome, long answeredAtNanos) {}
