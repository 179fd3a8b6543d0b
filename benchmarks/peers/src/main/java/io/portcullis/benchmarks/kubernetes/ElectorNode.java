package io.portcullis.benchmarks.kubernetes;

import io.portcullis.benchmarks.failover.AgentContender;
import io.portcullis.benchmarks.failover.Contender;
import io.portcullis.benchmarks.failover.NodeMain;

/** Main class of a node's JVM. */
final class ElectorNode {
  /**
   * Pause between two checks. Many nodes run at once, and the checks should not use their processor
   * time.
   */
  private static final long PAUSE_NANOS = 500_000;

  private ElectorNode() {}

  /** Arguments: elector, URL of the API server, token, namespace, name of the Lease. */
  public static void main(String[] args) throws Exception {
    NodeMain.serve(() -> contender(args), PAUSE_NANOS);
  }

  private static Contender contender(String[] args) throws Exception {
    return switch (Elector.valueOf(args[0])) {
      case PORTCULLIS -> new AgentContender();
      case FABRIC8 -> new Fabric8Contender(args[1], args[2], args[3], args[4]);
    };
  }
}
