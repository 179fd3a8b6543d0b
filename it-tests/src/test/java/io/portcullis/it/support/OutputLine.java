package io.portcullis.it.support;

/** One line that a process printed, and when it arrived here. */
public record OutputLine(long arrivedNanos, boolean stderr, String text) {}
