package io.portcullis.backend.quorum.machine;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The newest leader this node knows of. It is what people are shown and what paces the own
 * campaign; nobody leads by it, since only promises decide who may.
 *
 * @param member who leads or led
 * @param identity its process
 * @param address where it can be reached, if it said so
 * @param term its term
 * @param version changes with each sign of life
 * @param lease its lease
 * @param untilNanos until when it is believed to lead if nothing more is heard
 * @param released whether it is known to lead no more
 */
record KnownLeader(
    int member,
    String identity,
    @Nullable String address,
    long term,
    long version,
    Duration lease,
    long untilNanos,
    boolean released) {

  boolean isLiveAt(MemberStepContext now) {
    return !released && !now.hasReached(untilNanos);
  }

  KnownLeader over(long nextVersion) {
    return new KnownLeader(member, identity, address, term, nextVersion, lease, untilNanos, true);
  }

  LeaseRecord record(String cluster, MemberStepContext now) {
    Duration left = Duration.ofNanos(Math.max(0, untilNanos - now.nanos()));
    RecordVersion stamp = new RecordVersion(cluster, identity, term, Long.toString(version));
    return new LeaseRecord(stamp, address, lease, released ? Duration.ZERO : left, released);
  }
}
