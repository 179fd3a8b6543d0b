package io.portcullis.benchmarks.kubernetes;

/** What the two nodes of a pair asked. */
record Traffic(Flow leader, Flow standby) {}
