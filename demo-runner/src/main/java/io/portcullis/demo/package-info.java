/**
 * The show behind {@code ./demo}: three copies of a service with the agent and one journal, a kill,
 * a hand-over, and a verdict.
 *
 * <p><b>Promised.</b> The verdict compares what clients were told with what the journal holds and
 * with the epochs in the nodes' logs; it is green only if all three agree. The show ends by itself,
 * and leaves neither process nor file behind, also when it is interrupted.
 *
 * <p><b>Not promised.</b> The journal does not carry epochs. If one process leads twice, a late
 * write under its first epoch among writes of its second can't be told apart.
 */
@NullMarked
package io.portcullis.demo;

import org.jspecify.annotations.NullMarked;
