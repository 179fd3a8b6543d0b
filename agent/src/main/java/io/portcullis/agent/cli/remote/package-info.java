/**
 * Commands that query running nodes and send them admin commands over HTTP. They need only the
 * nodes' addresses. Responses are untrusted: control characters are removed before they are
 * printed.
 */
@NullMarked
package io.portcullis.agent.cli.remote;

import org.jspecify.annotations.NullMarked;
