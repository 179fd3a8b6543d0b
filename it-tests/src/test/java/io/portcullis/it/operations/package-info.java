/** What an operator sees and does: HTTP, JMX, modes, overrides, the command line, SIGTERM. */
package io.portcullis.it.operations;
