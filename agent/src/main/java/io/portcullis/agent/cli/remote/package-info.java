/**
 * Looks at running nodes and tells them what to do, by their HTTP. Needs nothing but their
 * addresses; what a node says is shown, never believed to be safe to print.
 */
@NullMarked
package io.portcullis.agent.cli.remote;

import org.jspecify.annotations.NullMarked;
