/** Measures the cost of the gate with JMH, compared with the minimum cost of any such check. */
package io.portcullis.benchmarks;
