/**
 * What an agent adds to the start of an ordinary web application: Portcullis beside the
 * OpenTelemetry agent, and neither of them. Every start is a JVM of its own.
 */
@NullMarked
package io.portcullis.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
