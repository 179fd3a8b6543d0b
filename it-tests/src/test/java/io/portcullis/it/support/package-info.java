/**
 * What the integration tests are made of: JVMs with the agent, and witnesses of what they did.
 *
 * <p>A {@link io.portcullis.it.support.TestEnvironment} starts processes and ends every one of them
 * with the test. The witnesses judge from outside, by what a user can see: {@link
 * io.portcullis.it.support.LeadershipLog} reads log lines, {@link
 * io.portcullis.it.support.JournalCheck} the journal that all nodes write to, {@link
 * io.portcullis.it.support.DualLeaderDetector} the answers of {@code /leader}. Each of them is
 * itself tested for being able to object.
 */
package io.portcullis.it.support;
