package io.portcullis.fencing.wire;

/** What was put before a query's text. */
record Prefix(int characters) {}
