package io.portcullis.benchmarks.kubernetes;

/** Request rates of the two nodes of a pair. */
record PairRequestRates(RequestRates leader, RequestRates standby) {}
