package io.portcullis.benchmarks.kubernetes;

import io.portcullis.benchmarks.failover.Versions;

/** The electors that are compared. */
enum Elector {
  PORTCULLIS,
  FABRIC8;

  /** Name in the table, with the measured version. */
  String label() {
    return switch (this) {
      case PORTCULLIS -> "Portcullis";
      case FABRIC8 -> "fabric8 " + Versions.version("fabric8") + " `LeaderElector`";
    };
  }
}
