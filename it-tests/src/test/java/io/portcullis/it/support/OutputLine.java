package io.portcullis.it.support;

/** One line of a process's output, with its arrival time. */
public record OutputLine(long arrivedNanos, boolean stderr, String text) {}
