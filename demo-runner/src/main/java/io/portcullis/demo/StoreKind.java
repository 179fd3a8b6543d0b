package io.portcullis.demo;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What keeps the lease. */
enum StoreKind {
  QUORUM(
      "The quorum",
      "granted by two of the three: no server.",
      "None of them has ever voted: they elect at once."),
  REDIS("Redis", "kept in Redis.", "A Redis this young grants no lease for a lease + 1 s."),
  POSTGRES(
      "Postgres", "kept in Postgres.", "The table is new, so the first to ask may lead at once.");

  /** Used if nothing else is asked for. */
  static final StoreKind DEFAULT = QUORUM;

  private final String label;
  private final String keeping;
  private final String firstLease;

  StoreKind(String label, String keeping, String firstLease) {
    this.label = label;
    this.keeping = keeping;
    this.firstLease = firstLease;
  }

  /** The one that is called so on the command line and in the agent's configuration. */
  static Optional<StoreKind> called(String name) {
    return Arrays.stream(values()).filter(kind -> kind.configName().equals(name)).findFirst();
  }

  /** All names, in the order in which they are offered. */
  static List<String> names() {
    return Arrays.stream(values()).map(StoreKind::configName).toList();
  }

  /** All names, for somebody who has to choose. */
  static String choices() {
    List<String> names = names();
    int last = names.size() - 1;
    return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
  }

  String configName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As people write it. */
  String label() {
    return label;
  }

  /** Where a lease comes from, as the end of a sentence. */
  String keeping() {
    return keeping;
  }

  /** When the first node of a show gets the lease, and why then. */
  String firstLease() {
    return firstLease;
  }
}
