package io.portcullis.backend.quorum.machine;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One election as one member takes part in it.
 *
 * @param cluster whose election this is
 * @param members the ids of all members, in order; a majority is always one of these
 * @param self this member's place among them
 * @param identity who this process is
 * @param address where its service can be reached, if it says so
 * @param lease how long its own leases last
 * @param longestLease the longest lease any member has or had lately
 * @param timeoutMin the shortest time a round may take, and the shortest wait before one
 * @param timeoutMax the longest
 * @param trustsBlank whether members that all remember nothing are taken for new ones
 * @param priority who of several that want to lead is preferred; never a safety matter
 * @param candidate false for a witness, which votes and never leads
 * @param firstSequence where this process begins to count its messages: at random, so that a reply
 *     to an earlier process of this member is never taken for one to this process
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

  /** No lease is longer. */
  static final Duration MAX_LEASE = Duration.ofDays(1);

  /** Keeps a copy. */
  public QuorumConfig {
    members = List.copyOf(members);
  }

  /** The same for another life of this member. */
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

  /** So many others, and every majority that this member was part of has one of them. */
  int witnessesOfAnyMajority() {
    return members.size() - majority() + 1;
  }

  /** This member's id. */
  public String selfId() {
    return members.get(self);
  }

  /** A lease as it is told to others: rather too long than too short. */
  static long wholeMillis(Duration lease) {
    return lease.plusNanos(999_999).toMillis();
  }

  /** A length between the two bounds of the election timeout. */
  long timeoutNanos(double chance) {
    long least = timeoutMin.toNanos();
    return least + (long) ((timeoutMax.toNanos() - least) * chance);
  }
}
