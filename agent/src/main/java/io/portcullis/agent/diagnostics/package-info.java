/**
 * What is gathered for whoever looks for a fault: this node, its configuration without secrets, and
 * the JVM around it. Gathered when asked for, and never otherwise.
 */
@NullMarked
package io.portcullis.agent.diagnostics;

import org.jspecify.annotations.NullMarked;
