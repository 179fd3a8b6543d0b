/**
 * What the weaver costs a class that no rule means: {@code benchmarks/class-loading}. Each JVM
 * loads the same generated classes with rules of one kind, and takes the time inside the weaver.
 */
@NullMarked
package io.portcullis.benchmarks.classes;

import org.jspecify.annotations.NullMarked;
