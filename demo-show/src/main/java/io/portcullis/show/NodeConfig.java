package io.portcullis.show;

import java.time.Duration;

/** The agent's configuration for one node. */
record NodeConfig(String id, String redisUri, int servicePort, int agentPort) {
  static final String ELECTION = "ledger";
  static final Duration LEASE = Duration.ofSeconds(5);

  /** As the file that the agent reads. */
  String text() {
    return """
        portcullis {
          service = demo
          node { id = %s, advertise = "http://127.0.0.1:%d" }
          elections {
            %s {
              backend = redis
              timing { lease = %ds }
              redis { uri = "%s" }
            }
          }
          rules = [ { id = ledger, match = "com.acme.ledger.Ledger#append(..)" } ]
          http { port = %d }
        }
        """
        .formatted(id, servicePort, ELECTION, LEASE.toSeconds(), redisUri, agentPort);
  }
}
