package io.portcullis.gate.shaded.reactor.core.scheduler;

/** Stands for Reactor's interface of this name, as a library that relocates Reactor has it. */
public interface NonBlocking {}
