package io.portcullis.gate;

/** The highest epoch that a gate has heard of, and who was seen to lead under it, if anyone was. */
final class Sighting {
  static final Sighting NOBODY = new Sighting(0, null, null);

  final long epoch;
  final @Nullable String leader;
  final @Nullable String address;

  Sighting(long epoch, @Nullable String leader, @Nullable String address) {
    this.epoch = epoch;
    this.leader = leader;
    this.address = address;
  }

  Sighting withoutLeader() {
    return leader == null ? this : new Sighting(epoch, null, null);
  }
}
