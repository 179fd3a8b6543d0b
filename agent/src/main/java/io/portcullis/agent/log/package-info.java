/**
 * Logging of the agent and its libraries. Lines go directly to the standard error of the process,
 * even if the application has replaced that stream, and never through a logging library of the
 * application.
 */
@NullMarked
package io.portcullis.agent.log;

import org.jspecify.annotations.NullMarked;
