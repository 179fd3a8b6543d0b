/**
 * Measures the weaver's cost for a class that no rule matches: {@code benchmarks/class-loading}.
 * Each JVM loads the same generated classes with rules of one kind, and measures the time inside
 * the weaver.
 */
@NullMarked
package io.portcullis.benchmarks.classes;

import org.jspecify.annotations.NullMarked;
