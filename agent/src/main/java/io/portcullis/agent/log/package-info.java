/**
 * Where the lines of the agent and its libraries go: to the process' standard error itself,
 * wherever the application may have turned its own stream, and never through a logging library of
 * the application.
 */
@NullMarked
package io.portcullis.agent.log;

import org.jspecify.annotations.NullMarked;
