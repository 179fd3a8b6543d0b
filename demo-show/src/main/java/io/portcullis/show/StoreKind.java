package io.portcullis.show;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What keeps the lease. */
enum StoreKind {
  REDIS("Redis", "A Redis this young grants no lease for a lease + 1 s."),
  POSTGRES("Postgres", "The table is new, so the first to ask may lead at once.");

  private final String label;
  private final String firstLease;

  StoreKind(String label, String firstLease) {
    this.label = label;
    this.firstLease = firstLease;
  }

  /** The one that is called so on the command line and in the agent's configuration. */
  static Optional<StoreKind> called(String name) {
    return Arrays.stream(values()).filter(kind -> kind.configName().equals(name)).findFirst();
  }

  /** All names, for somebody who has to choose. */
  static String choices() {
    return Arrays.stream(values()).map(StoreKind::configName).collect(Collectors.joining(" or "));
  }

  String configName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As people write it. */
  String label() {
    return label;
  }

  /** When the first node of a show gets the lease, and why then. */
  String firstLease() {
    return firstLease;
  }
}
