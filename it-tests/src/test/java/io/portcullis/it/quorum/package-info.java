/** Tests quorum elections whose networks, disks and processes fail. */
package io.portcullis.it.quorum;
