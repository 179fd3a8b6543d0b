package io.portcullis.benchmarks.kubernetes;

import io.portcullis.benchmarks.failover.Versions;

/** What elects the leader. */
enum Elector {
  PORTCULLIS,
  FABRIC8;

  /** As the table names it, with the version measured. */
  String label() {
    return switch (this) {
      case PORTCULLIS -> "Portcullis";
      case FABRIC8 -> "fabric8 " + Versions.version("fabric8") + " `LeaderElector`";
    };
  }
}
