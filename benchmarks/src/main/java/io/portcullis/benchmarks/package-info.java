/** What the gate costs, measured with JMH against the least that any such check can cost. */
package io.portcullis.benchmarks;
