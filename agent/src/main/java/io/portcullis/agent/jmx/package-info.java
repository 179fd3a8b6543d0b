/** MBeans through which operators read the status and run admin commands. */
@NullMarked
package io.portcullis.agent.jmx;

import org.jspecify.annotations.NullMarked;
