package io.portcullis.backend.quorum.machine;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of one member in one election.
 *
 * @param trustsBlank whether members that all remember nothing are treated as a new cluster
 * @param firstSequence sequence of this process's first message: random, so that a reply to an
 *     earlier process of this member is never taken for a reply to this one
 */
public record QuorumConfig(
    Membership membership,
    MemberIdentity process,
    MemberTiming timing,
    boolean trustsBlank,
    long firstSequence) {

  static final Duration MAX_LEASE = Duration.ofDays(1);

  /**
   * The members of a cluster, the same list on each of them.
   *
   * @param cluster name of the cluster that holds this election
   * @param members the ids of all members, in order; a majority is always a majority of these
   * @param self this member's index in {@code members}
   */
  public record Membership(String cluster, List<String> members, int self) {
    public Membership {
      members = List.copyOf(members);
    }
  }

  /**
   * This process as a member.
   *
   * @param identity unique id of this process
   * @param address where its service can be reached, null if not configured
   * @param priority preference among members that want to lead; never affects safety
   * @param candidate false for a witness, which votes and never leads
   */
  public record MemberIdentity(
      String identity, @Nullable String address, int priority, boolean candidate) {}

  /**
   * Times of this member.
   *
   * @param lease length of this member's own leases
   * @param longestLease the longest lease that any member has or had lately
   * @param timeoutMin minimum length of a round, and of the wait before one
   * @param timeoutMax maximum length of a round, and of the wait before one
   */
  public record MemberTiming(
      Duration lease, Duration longestLease, Duration timeoutMin, Duration timeoutMax) {}

  /** Returns a copy for another incarnation of this member. */
  public QuorumConfig countingFrom(long sequence) {
    return new QuorumConfig(membership, process, timing, trustsBlank, sequence);
  }

  public String cluster() {
    return membership.cluster();
  }

  List<String> members() {
    return membership.members();
  }

  public int self() {
    return membership.self();
  }

  public String identity() {
    return process.identity();
  }

  int priority() {
    return process.priority();
  }

  Duration lease() {
    return timing.lease();
  }

  int size() {
    return members().size();
  }

  int majority() {
    return members().size() / 2 + 1;
  }

  /**
   * Number of other members that is enough to include one of every majority that this member was
   * part of.
   */
  int witnessesOfAnyMajority() {
    return members().size() - majority() + 1;
  }

  public String selfId() {
    return members().get(self());
  }

  /** Rounds a lease up to milliseconds: other members may treat it as longer, never as shorter. */
  static long wholeMillis(Duration lease) {
    return lease.plusNanos(999_999).toMillis();
  }

  /** Returns a random length between the two bounds of the election timeout. */
  long timeoutNanos(double chance) {
    long min = timing.timeoutMin().toNanos();
    return min + (long) ((timing.timeoutMax().toNanos() - min) * chance);
  }
}
