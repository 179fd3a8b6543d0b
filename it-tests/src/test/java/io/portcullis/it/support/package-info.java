/**
 * Building blocks of the integration tests: JVMs with the agent, and safety checks.
 *
 * <p>A {@link io.portcullis.it.support.TestEnvironment} starts processes and ends every one of them
 * with the test. The checks use only what a user can see: {@link
 * io.portcullis.it.support.LeadershipLog} reads log lines, {@link
 * io.portcullis.it.support.JournalCheck} the journal that all nodes write to, {@link
 * io.portcullis.it.support.DualLeaderDetector} the responses of {@code /leader}. Tests prove that
 * each check can fail.
 */
package io.portcullis.it.support;
