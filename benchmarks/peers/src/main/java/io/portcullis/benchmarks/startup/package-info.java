/**
 * Measures what an agent adds to the start of an ordinary web application: Portcullis, the
 * OpenTelemetry agent, and no agent. Every start is a separate JVM.
 */
@NullMarked
package io.portcullis.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
