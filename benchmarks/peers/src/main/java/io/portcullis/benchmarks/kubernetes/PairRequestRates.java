package io.portcullis.benchmarks.kubernetes;

/** What the two nodes of a pair asked. */
record PairRequestRates(RequestRates leader, RequestRates standby) {}
