/** Tests the agent together with what a service contains, and in JVMs that it must ignore. */
package io.portcullis.it.coexistence;
