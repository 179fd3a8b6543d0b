package io.portcullis.benchmarks.failover;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The servers and the JVMs of one run; nothing of them remains after {@link #close}. */
final class FailoverEnvironment implements AutoCloseable {
  private final NodeFleet fleet;
  private final Stores stores;
  private boolean closed;

  private FailoverEnvironment(NodeFleet fleet, Stores stores) {
    this.fleet = fleet;
    this.stores = stores;
  }

  static FailoverEnvironment open(Path agent) throws Exception {
    NodeFleet fleet = NodeFleet.open(agent, "benchmarks/failover");
    return new FailoverEnvironment(fleet, Stores.start());
  }

  /** Starts a JVM for an election with this name. */
  Node start(ContenderKind kind, String election) throws IOException {
    String[] arguments = {kind.name(), stores.address(kind), election};
    return kind.agentBackend().isPresent()
        ? fleet.startWithAgent(config(kind, election), NodeMain.class, arguments)
        : fleet.start(NodeMain.class, arguments);
  }

  private String config(ContenderKind kind, String election) {
    return "timing { lease = %dms, renew = %dms }%n%s"
        .formatted(
            FailoverTiming.LEASE.toMillis(),
            FailoverTiming.RENEW.toMillis(),
            stores.agentSettings(kind, election));
  }

  Stores stores() {
    return stores;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    fleet.close();
    try {
      stores.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
