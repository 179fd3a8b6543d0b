/**
 * Reads the configuration from a file, the environment and system properties. The result is one
 * validated, immutable {@link io.portcullis.agent.config.AgentConfig}, or one message with all
 * problems.
 *
 * <p><b>Promised.</b> The only inputs are the {@link
 * io.portcullis.agent.config.hocon.ConfigSource}, the files that it names, the files that these
 * name, and the {@code reference.conf} files next to the agent's and the backends' classes. In
 * particular, no {@code reference.conf} or {@code application.conf} of the application, no network
 * and no global state is read. Each problem names its location, the cause and the fix. Neither a
 * problem nor an effective value contains a secret.
 *
 * <p><b>Not promised.</b> That a store can be reached, or that a rule matches any method.
 */
@NullMarked
package io.portcullis.agent.config;

import org.jspecify.annotations.NullMarked;
