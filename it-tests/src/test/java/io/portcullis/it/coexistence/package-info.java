/** The agent beside what a service brings, and in JVMs that nobody meant it for. */
package io.portcullis.it.coexistence;
