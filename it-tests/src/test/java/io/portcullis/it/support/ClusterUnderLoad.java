package io.portcullis.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/** Nodes of the demo service under continuous writes, observed until all safety checks have run. */
public final class ClusterUnderLoad {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final TestEnvironment stage;
  private final Path journal;
  private final Duration longestLease;
  private final List<ServiceJvm> nodes = new ArrayList<>();
  private final List<ServiceJvm> killed = new ArrayList<>();
  private final List<DualLeaderDetector> watches = new ArrayList<>();
  private final List<ConcurrentWrites> writers = new ArrayList<>();

  public ClusterUnderLoad(TestEnvironment stage, Duration longestLease) throws IOException {
    this.stage = stage;
    this.journal = stage.folder("journal").resolve("journal.log");
    this.longestLease = longestLease;
  }

  /** The journal that all nodes write to. */
  public Path journal() {
    return journal;
  }

  /** Starts a node under writes, and waits until it has a response from the store. */
  public ServiceJvm join(String id, AgentConf conf) throws IOException {
    ServiceJvm node = stage.start(id, JvmLauncher.demoService(id, journal).conf(conf));
    writeToAndWatch(node);
    return node;
  }

  /** Starts several nodes at once. */
  public void joinAll(AgentConf conf, String... ids) throws IOException {
    List<ServiceJvm> started = new ArrayList<>();
    for (String id : ids) {
      started.add(stage.start(id, JvmLauncher.demoService(id, journal).conf(conf)));
    }
    started.forEach(this::writeToAndWatch);
  }

  /** Puts a node that appends to {@link #journal()} under writes, and waits until it is ready. */
  public void writeToAndWatch(ServiceJvm node) {
    nodes.add(node);
    writers.add(stage.opened(ConcurrentWrites.at(node)));
    watches.add(stage.opened(DualLeaderDetector.over(node)));
    Awaitility.await(node.name() + " is ready")
        .atMost(TIMEOUT)
        .until(() -> node.get("/readyz").status() == 200);
  }

  /** Kills a node, which then does not count as a failure. */
  public void kill(ServiceJvm node) throws InterruptedException {
    killed.add(node);
    node.kill();
  }

  /** The other live node. */
  public ServiceJvm other(ServiceJvm node) {
    return nodes.stream().filter(each -> each != node && each.isAlive()).findFirst().orElseThrow();
  }

  public List<ServiceJvm> nodes() {
    return List.copyOf(nodes);
  }

  public ServiceJvm awaitLeader() {
    return Awaitility.await("a leader")
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(20))
        .until(this::leader, Optional::isPresent)
        .orElseThrow();
  }

  /** Waits for a grant above {@code epoch}, and for writes under it. */
  public ServiceJvm awaitLeaderAfter(long epoch) {
    ServiceJvm leader =
        Awaitility.await("a leader after epoch " + epoch)
            .atMost(TIMEOUT)
            .pollInterval(Duration.ofMillis(20))
            .failFast("a node has ended that the test did not kill", this::hasLostANode)
            .until(() -> leader().filter(node -> epochOf(node) > epoch), Optional::isPresent)
            .orElseThrow();
    awaitWrites();
    return leader;
  }

  /** Waits until more writes were accepted. */
  public void awaitWrites() {
    long before = accepted();
    Awaitility.await("writes").atMost(TIMEOUT).until(() -> accepted() > before);
  }

  public void awaitNoLeader() {
    Awaitility.await("no leader").atMost(TIMEOUT).until(() -> leader().isEmpty());
  }

  public long accepted() {
    return writers.stream().mapToLong(ConcurrentWrites::accepted).sum();
  }

  /** Ends writes and observation, and runs the safety checks. */
  public LeadershipLog stopAndCheck() throws IOException {
    writers.forEach(ConcurrentWrites::close);
    watches.forEach(DualLeaderDetector::close);
    List<DualLeaderDetector.Sample> samples =
        watches.stream().flatMap(watch -> watch.samples().stream()).toList();
    List<WriteResult> writes = writers.stream().flatMap(storm -> storm.writes().stream()).toList();
    LeadershipLog transcript = LeadershipLog.of(nodes);
    JournalCheck witness = JournalCheck.read(journal);
    assertThat(DualLeaderDetector.violations(samples)).isEmpty();
    assertThat(transcript.violations(longestLease)).isEmpty();
    assertThat(witness.violations(transcript.leaders())).isEmpty();
    assertThat(witness.contradictedResponses(writes)).isEmpty();
    assertThat(nodes)
        .filteredOn(node -> !killed.contains(node))
        .as("nodes still up and healthy")
        .allSatisfy(node -> assertThat(node.get("/healthz").status()).isEqualTo(200));
    return transcript;
  }

  private boolean hasLostANode() {
    return nodes.stream().anyMatch(node -> !node.isAlive() && !killed.contains(node));
  }

  private Optional<ServiceJvm> leader() {
    return nodes.stream().filter(ServiceJvm::isAlive).filter(ServiceJvm::leads).findFirst();
  }

  /** The epoch under which the node leads, else 0: an epoch seen from others is not a grant. */
  private static long epochOf(ServiceJvm node) {
    try {
      AgentResponse status = node.status();
      return status.saysLeader() ? status.epoch() : 0;
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }
}
