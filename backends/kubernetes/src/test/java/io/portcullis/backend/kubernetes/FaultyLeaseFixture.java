package io.portcullis.backend.kubernetes;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.TestTimeouts;
import io.portcullis.election.contract.TimedStoreFixture;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.servers.kubernetes.ApiFaultInjector;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.LeaseClient;
import io.portcullis.servers.kubernetes.RequestFilter;
import io.portcullis.servers.kubernetes.Verb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One Lease on an API server that fails on demand. Each node uses its identity as its token, so
 * that faults can be set for one node.
 */
final class FaultyLeaseFixture implements TimedStoreFixture, AfterEachCallback, AutoCloseable {
  static final String NAME = "orders-writer";
  static final Duration MAX_WAIT = TestTimeouts.MAX_WAIT;

  private final ApiServer server = ApiServer.start();
  private final LeaseClient leases = server.leases();
  private final Map<String, Duration> clockErrors = new ConcurrentHashMap<>();
  private final Path folder;
  private final Timing timing;

  /** A fixture with short durations. */
  FaultyLeaseFixture() {
    this(TestTimings.SHORT);
  }

  FaultyLeaseFixture(Timing timing) {
    this.timing = timing;
    try {
      folder = Files.createTempDirectory("faulty-site");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A directory for files of this fixture's clients. */
  Path folder() {
    return folder;
  }

  /** The first request of a JVM loads the client, which may exceed a request's timeout. */
  static void warm(TimedStoreFixture place) {
    try (Claimant first = place.claimant("warm")) {
      await()
          .atMost(MAX_WAIT)
          .until(() -> first.ask(new LeaseRequest.Look()) instanceof HeldByOther);
    }
  }

  /** Waits until a gate is shut. */
  static void awaitShut(LeaderElection node) {
    await().pollInterval(Duration.ofMillis(5)).atMost(MAX_WAIT).until(() -> !node.isLeader());
  }

  /** Waits for a gate to shut, which must happen within the renew deadline from now. */
  void awaitShutByDeadline(LeaderElection node) {
    ContenderPair.awaitShutWithin(node, timing.renewDeadline(), System.nanoTime());
  }

  /** Waits until a node with a short request timeout has received a response. */
  static void awaitAnswer(Claimant who) {
    await().atMost(MAX_WAIT).until(() -> who.ask(new LeaseRequest.Look()) instanceof HeldByOther);
  }

  /** The time that has passed since. */
  static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  ApiServer server() {
    return server;
  }

  ApiFaultInjector faults() {
    return server.faults();
  }

  LeaseClient leases() {
    return leases;
  }

  /** Sets a fault for all requests of one node, or only for these verbs. */
  void set(Fault fault, String node, Verb... verbs) {
    faults().set(fault, requests(node, verbs));
  }

  /** Sets a fault for the next such request of one node. */
  void setOnce(Fault fault, String node, Verb... verbs) {
    faults().setOnce(fault, requests(node, verbs));
  }

  /**
   * Cuts a node off, its watch too; the other nodes connect again. Ended by {@link
   * ApiFaultInjector#heal()}.
   */
  void isolate(String node) {
    set(Fault.hang(), node);
    server.cut();
  }

  static RequestFilter requests(String node, Verb... verbs) {
    RequestFilter all = verbs.length == 0 ? RequestFilter.all() : RequestFilter.to(verbs[0], verbs);
    return all.by(node);
  }

  /** The number of such requests of one node. */
  int asked(String node, Verb... verbs) {
    return server.requests(requests(node, verbs)).size();
  }

  /** Shifts the wall clock of a node that is opened later. */
  void setClockError(String node, Duration error) {
    clockErrors.put(node, error);
  }

  Optional<ObjectNode> lease() {
    return leases.read(NAME);
  }

  /** The current spec of the Lease. */
  ObjectNode spec() {
    return lease().orElseThrow().withObject("/spec");
  }

  /** Changes the Lease with an administrator's rights. */
  void edit(Consumer<ObjectNode> change) {
    leases.edit(NAME, change);
  }

  /** Changes the Lease's spec with an administrator's rights. */
  void editSpec(Consumer<ObjectNode> change) {
    edit(lease -> change.accept(lease.withObject("/spec")));
  }

  @Override
  public Timing timing() {
    return timing;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    String node = config.identity();
    Path kubeconfig = server.kubeconfig(folder.resolve(node), node);
    KubernetesLease lease =
        new KubernetesLease(
            config.timing(),
            Kubeconfig.read(kubeconfig, null),
            new LeaseName(ApiServer.NAMESPACE, NAME),
            null);
    Duration error = clockErrors.getOrDefault(node, Duration.ZERO);
    return KubernetesLeaseStore.open(
        lease, inOneScope(config), () -> InstantSource.system().instant().plus(error));
  }

  /** Single requests and whole nodes use different election names, and a Lease has only one. */
  static ElectionConfig inOneScope(ElectionConfig config) {
    return new ElectionConfig(
        "test", config.name(), config.identity(), config.address(), config.timing());
  }

  @Override
  public void wipe() {
    leases.delete(NAME);
  }

  @Override
  public void afterEach(ExtensionContext test) {
    close();
  }

  @Override
  public void close() {
    leases.close();
    server.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
