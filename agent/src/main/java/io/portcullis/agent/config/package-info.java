/**
 * From a file, the environment and system properties to one checked, immutable {@link
 * io.portcullis.agent.config.AgentConfig}, or to one message with everything that is wrong.
 *
 * <p>Promises: nothing is read but what the {@link io.portcullis.agent.config.ConfigSource} names,
 * the files these name, and the references that lie beside the agent's and the backends' classes;
 * in particular no {@code reference.conf} or {@code application.conf} of the application, no
 * network, no global state. Each problem names its place, what is wrong and what would be right. No
 * secret appears in a problem or in what is shown as effective.
 *
 * <p>Not promised: that a store can be reached, or that a rule matches anything.
 */
@NullMarked
package io.portcullis.agent.config;

import org.jspecify.annotations.NullMarked;
