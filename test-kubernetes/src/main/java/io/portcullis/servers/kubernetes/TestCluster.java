package io.portcullis.servers.kubernetes;

import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The cluster of a test: the one whose kubeconfig the environment variable {@value
 * #KUBECONFIG_VARIABLE} names, else an {@link ApiServer}.
 *
 * <p>In a supplied cluster it uses the Leases of one namespace, that of the current context: the
 * verbs get, create, update and delete for the test, and those that the code under test needs.
 */
public final class TestCluster implements AutoCloseable {
  /** Environment variable with the kubeconfig of a cluster to use instead of starting a server. */
  public static final String KUBECONFIG_VARIABLE = "PORTCULLIS_IT_KUBECONFIG";

  private final Optional<ApiServer> server;
  private final Path kubeconfig;
  private final String namespace;
  private final LeaseClient leases;

  private TestCluster(
      Optional<ApiServer> server, Path kubeconfig, String namespace, LeaseClient leases) {
    this.server = server;
    this.kubeconfig = kubeconfig;
    this.namespace = namespace;
    this.leases = leases;
  }

  /**
   * Uses the supplied cluster, or starts a server.
   *
   * @param folder where a kubeconfig may be written
   */
  public static TestCluster start(Path folder) {
    String given = System.getenv(KUBECONFIG_VARIABLE);
    return given == null || given.isBlank() ? startOwn(folder) : given(Path.of(given));
  }

  /**
   * Uses the supplied cluster if the test also has this right on Leases there; else starts a
   * server. For competitors that need a right which neither the tests nor a node need.
   *
   * @param folder where a kubeconfig may be written
   */
  public static TestCluster startWhereAllowed(Path folder, Verb verb) {
    return whereAllowed(start(folder), folder, verb);
  }

  static TestCluster whereAllowed(TestCluster cluster, Path folder, Verb verb) {
    if (cluster.canFault() || cluster.leases.may(verb)) {
      return cluster;
    }
    cluster.close();
    return startOwn(folder);
  }

  /** Always starts a server: for tests with fault injection. */
  public static TestCluster startOwn(Path folder) {
    ApiServer server = ApiServer.start();
    return new TestCluster(
        Optional.of(server), server.kubeconfig(folder), ApiServer.NAMESPACE, server.leases());
  }

  static TestCluster given(Path kubeconfig) {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    String named = config.getNamespace();
    String namespace = named == null || named.isBlank() ? "default" : named;
    LeaseClient leases = new LeaseClient(LeaseClient.client(config), namespace);
    return new TestCluster(Optional.empty(), kubeconfig, namespace, leases);
  }

  /** The kubeconfig for clients. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  /** The only namespace that tests may use. */
  public String namespace() {
    return namespace;
  }

  /** Client for the Leases of that namespace, for the test itself; not affected by faults. */
  public LeaseClient leases() {
    return leases;
  }

  /** Whether faults can be injected; not in a supplied cluster. */
  public boolean canFault() {
    return server.isPresent();
  }

  /** The server with fault injection. */
  public ApiServer server() {
    return server.orElseThrow(
        () ->
            new UnsupportedOperationException(
                "the cluster of " + kubeconfig + " was supplied; check canFault() first"));
  }

  @Override
  public void close() {
    leases.close();
    server.ifPresent(ApiServer::close);
  }
}
