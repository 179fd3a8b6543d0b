/** Commands of the command line tool. */
@NullMarked
package io.portcullis.agent.cli;

import org.jspecify.annotations.NullMarked;
