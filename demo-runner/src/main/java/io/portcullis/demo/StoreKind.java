package io.portcullis.demo;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The store that keeps the lease. */
enum StoreKind {
  QUORUM(
      "The quorum",
      "granted by two of the three: no server.",
      "No member has voted before: they elect at once."),
  REDIS("Redis", "kept in Redis.", "A new Redis server grants no lease for lease + 1 s."),
  POSTGRES("Postgres", "kept in Postgres.", "The table is new: the first node may lead at once.");

  /** Used if no backend is given. */
  static final StoreKind DEFAULT = QUORUM;

  private final String label;
  private final String leaseLocation;
  private final String firstLease;

  StoreKind(String label, String leaseLocation, String firstLease) {
    this.label = label;
    this.leaseLocation = leaseLocation;
    this.firstLease = firstLease;
  }

  /** Finds a store by its name on the command line and in the agent's configuration. */
  static Optional<StoreKind> find(String name) {
    return Arrays.stream(values()).filter(kind -> kind.configName().equals(name)).findFirst();
  }

  /** All names, in display order. */
  static List<String> names() {
    return Arrays.stream(values()).map(StoreKind::configName).toList();
  }

  /** All names, as a phrase for messages. */
  static String choices() {
    List<String> names = names();
    int last = names.size() - 1;
    return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
  }

  String configName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Display name. */
  String label() {
    return label;
  }

  /** Where the lease is kept, as the end of a sentence. */
  String leaseLocation() {
    return leaseLocation;
  }

  /** When the first node gets the lease, and why. */
  String firstLease() {
    return firstLease;
  }
}
