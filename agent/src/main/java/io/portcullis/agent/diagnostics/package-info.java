/**
 * Collects data for troubleshooting: the state of this node, its configuration without secrets, and
 * its JVM. Data is collected only on request.
 */
@NullMarked
package io.portcullis.agent.diagnostics;

import org.jspecify.annotations.NullMarked;
