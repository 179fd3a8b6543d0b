/**
 * What happens when the JVM is told to end: the lease is kept while the application still writes
 * its last, and then given back.
 */
@NullMarked
package io.portcullis.agent.shutdown;

import org.jspecify.annotations.NullMarked;
