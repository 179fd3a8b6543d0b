package io.portcullis.demo;

import java.time.Duration;

/** Agent configuration of one node. */
record NodeConfig(String id, DemoStore store, int servicePort, int agentPort) {
  static final String ELECTION = "ledger";

  /** The same for every store, so that runs can be compared. */
  static final Duration LEASE = Duration.ofSeconds(5);

  /** The content of the configuration file. */
  String text() {
    return """
    portcullis {
      service = demo
      node { id = %s, advertise = "http://127.0.0.1:%d" }
      elections {
        %s {
          backend = %s
          timing { lease = %ds }
          %s
        }
      }
      rules = [ { id = ledger, match = "com.acme.ledger.Ledger#append(..)" } ]
      http { port = %d }
    }
    """
        .formatted(
            id,
            servicePort,
            ELECTION,
            store.kind().configName(),
            LEASE.toSeconds(),
            store.settingsOf(id),
            agentPort);
  }
}
