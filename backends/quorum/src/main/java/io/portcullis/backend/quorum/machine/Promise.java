package io.portcullis.backend.quorum.machine;

/**
 * A voter's word to one leader: until the end of the lease that it acknowledged, on its own
 * monotonic clock, it votes for nobody, in whatever term.
 *
 * <p>This is why two leases never overlap. A leader's lease of length {@code L} counts from the
 * sending of a heartbeat at real time {@code s} that a majority acknowledged; with every clock's
 * rate from {@code 1 - d} to {@code 1 + d} of real time its gate shuts not later than {@code s +
 * L(1 - 2d) / (1 - d)}. Each voter of that majority received the heartbeat after {@code s} and
 * keeps its word for {@code L} by its clock, thus until {@code s + L / (1 + d)} at least, which is
 * later. A successor needs the votes of a majority, so of one of these voters; and its own lease
 * counts from a heartbeat sent after it had them. The length is the leader's, carried by its
 * heartbeat: a voter whose own lease is shorter keeps its word as long.
 *
 * @param leader the member it was given to
 * @param term the term in which that member leads
 * @param untilNanos when it ends on the voter's monotonic clock
 */
record Promise(int leader, long term, long untilNanos) {

  boolean isLiveAt(MemberStepContext now) {
    return !now.hasReached(untilNanos);
  }

  boolean isTo(int member, long itsTerm) {
    return leader == member && term == itsTerm;
  }
}
