package io.portcullis.backend.quorum.machine;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of one member in one election.
 *
 * @param cluster name of the cluster that holds this election
 * @param members the ids of all members, in order; a majority is always a majority of these
 * @param self this member's index in {@code members}
 * @param identity unique id of this process
 * @param address where its service can be reached, null if not configured
 * @param lease length of this member's own leases
 * @param longestLease the longest lease that any member has or had lately
 * @param timeoutMin minimum length of a round, and of the wait before one
 * @param timeoutMax maximum length of a round, and of the wait before one
 * @param trustsBlank whether members that all remember nothing are treated as a new cluster
 * @param priority preference among members that want to lead; never affects safety
 * @param candidate false for a witness, which votes and never leads
 * @param firstSequence sequence of this process's first message: random, so that a reply to an
 *     earlier process of this member is never taken for a reply to this one
 */
public record QuorumConfig(
    String cluster,
    List<String> members,
    int self,
    String identity,
    @Nullable String address,
    Duration lease,
    Duration longestLease,
    Duration timeoutMin,
    Duration timeoutMax,
    boolean trustsBlank,
    int priority,
    boolean candidate,
    long firstSequence) {

  /** Maximum length of a lease. */
  static final Duration MAX_LEASE = Duration.ofDays(1);

  public QuorumConfig {
    members = List.copyOf(members);
  }

  /** Returns a copy for another incarnation of this member. */
  public QuorumConfig countingFrom(long sequence) {
    return new QuorumConfig(
        cluster,
        members,
        self,
        identity,
        address,
        lease,
        longestLease,
        timeoutMin,
        timeoutMax,
        trustsBlank,
        priority,
        candidate,
        sequence);
  }

  int size() {
    return members.size();
  }

  int majority() {
    return members.size() / 2 + 1;
  }

  /**
   * Number of other members that is enough to include one of every majority that this member was
   * part of.
   */
  int witnessesOfAnyMajority() {
    return members.size() - majority() + 1;
  }

  public String selfId() {
    return members.get(self);
  }

  /** Rounds a lease up to milliseconds: other members may treat it as longer, never as shorter. */
  static long wholeMillis(Duration lease) {
    return lease.plusNanos(999_999).toMillis();
  }

  /** Returns a random length between the two bounds of the election timeout. */
  long timeoutNanos(double chance) {
    long min = timeoutMin.toNanos();
    return min + (long) ((timeoutMax.toNanos() - min) * chance);
  }
}
