/** The beans that operators read and command by JMX. */
@NullMarked
package io.portcullis.agent.jmx;

import org.jspecify.annotations.NullMarked;
