/** Nodes that elect among themselves, with networks, disks and processes that fail. */
package io.portcullis.it.quorum;
