package io.portcullis.gate;

/** The highest epoch that a gate has heard of, and who was seen to lead under it, if anyone was. */
final class LeaderInfo {
  static final LeaderInfo NOBODY = new LeaderInfo(0, null, null);

  final long epoch;
  final @Nullable String leader;
  final @Nullable String address;

  LeaderInfo(long epoch, @Nullable String leader, @Nullable String address) {
    this.epoch = epoch;
    this.leader = leader;
    this.address = address;
  }

  LeaderInfo withoutLeader() {
    return leader == null ? this : new LeaderInfo(epoch, null, null);
  }
}
