/**
 * Implementation of {@code ./demo}: three copies of a service with the agent and one journal, a
 * SIGKILL, a handover and a verdict.
 *
 * <p><b>Promised.</b> The verdict compares the clients' responses, the journal and the epochs in
 * the nodes' logs; it passes only if all three agree. The demo ends by itself and leaves neither
 * processes nor files behind, even if it is interrupted.
 *
 * <p><b>Not promised.</b> The journal does not contain epochs. If one process leads twice, a late
 * write under its first epoch can't be distinguished from the writes of its second.
 */
@NullMarked
package io.portcullis.demo;

import org.jspecify.annotations.NullMarked;
