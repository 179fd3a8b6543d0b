/** Tests what operators use: HTTP, JMX, modes, overrides, the command line, SIGTERM. */
package io.portcullis.it.operations;
