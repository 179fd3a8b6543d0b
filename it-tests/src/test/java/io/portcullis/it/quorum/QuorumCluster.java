package io.portcullis.it.quorum;

import io.portcullis.it.support.AdminCli;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/**
 * The members of one election, and the processes that run them. The first process of member a is
 * called a1, the next a2: each marks its writes with a unique name.
 */
final class QuorumCluster {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String SECRET = "test secret of sufficient length";

  private final TestEnvironment stage;
  private final ClusterUnderLoad underLoad;
  private final Duration lease;
  private final Map<String, QuorumHost> places;
  private final Path folder;
  private final Map<String, Integer> processes = new TreeMap<>();
  private UnaryOperator<AgentConf> more = conf -> conf;

  private QuorumCluster(TestEnvironment stage, Duration lease, Map<String, QuorumHost> places)
      throws IOException {
    this.stage = stage;
    this.underLoad = new ClusterUnderLoad(stage, lease);
    this.lease = lease;
    this.places = places;
    this.folder = stage.folder("quorum");
    Files.writeString(folder.resolve("secret"), SECRET);
  }

  /** Creates members that all run on this host. */
  static QuorumCluster of(TestEnvironment stage, Duration lease, String... members)
      throws IOException {
    Map<String, QuorumHost> places = new LinkedHashMap<>();
    for (String member : members) {
      places.put(member, QuorumHost.onLoopback());
    }
    return new QuorumCluster(stage, lease, places);
  }

  /** Creates members that each run on a host of their own. */
  static QuorumCluster in(
      VirtualNetwork subnet, TestEnvironment stage, Duration lease, String... members)
      throws IOException {
    Map<String, QuorumHost> places = new LinkedHashMap<>();
    for (String member : members) {
      places.put(member, subnet.quorumHost(member));
    }
    return new QuorumCluster(stage, lease, places);
  }

  /** Lets this operator administer all processes started later. */
  QuorumCluster withAdminTokenOf(AdminCli operator) {
    more = operator::withAdminToken;
    return this;
  }

  /**
   * Gives a member that was named as successor time to campaign before the others, also on a busy
   * machine, in all processes started later.
   */
  QuorumCluster withLongElectionTimeouts() {
    UnaryOperator<AgentConf> before = more;
    more =
        conf ->
            before
                .apply(conf)
                .set(
                    "elections.writer.timing.election-timeout-min",
                    lease.toMillis() * 3 / 10 + "ms")
                .set(
                    "elections.writer.timing.election-timeout-max",
                    lease.toMillis() * 4 / 10 + "ms");
    return this;
  }

  /** The checks on the processes that were {@link #join joined}. */
  ClusterUnderLoad underLoad() {
    return underLoad;
  }

  List<String> others(String member) {
    return places.keySet().stream().filter(each -> !each.equals(member)).toList();
  }

  /** The member that a process runs. */
  static String member(ServiceJvm process) {
    return process.name().replaceFirst("\\d+$", "");
  }

  /** The folder with a member's votes. */
  Path dataDir(String member) {
    return folder.resolve(member);
  }

  /** The ballot file of a member in this folder. */
  static Path ballot(Path dataDir, String member) {
    return dataDir.resolve("ledger+writer+" + member).resolve("ballot");
  }

  /** The launcher of a process with this name, which runs the member it is named after. */
  JvmLauncher service(String name) {
    String member = name.replaceFirst("\\d+$", "");
    QuorumHost place = place(member);
    return JvmLauncher.demoService(name, underLoad.journal())
        .conf(conf(member).rule(AgentConf.APPEND))
        .env("BIND", place.host())
        .prefixedBy(place.command());
  }

  AgentConf conf(String member) {
    Map<String, String> addresses = new LinkedHashMap<>();
    places.forEach((id, place) -> addresses.put(id, place.address()));
    return more.apply(
        AgentConf.quorum(addresses, member, dataDir(member), lease)
            .set("elections.writer.quorum.secret-file", "\"" + folder.resolve("secret") + "\"")
            .set("http.bind", place(member).host()));
  }

  private QuorumHost place(String member) {
    QuorumHost place = places.get(member);
    if (place == null) {
      throw new IllegalArgumentException("no member " + member);
    }
    return place;
  }

  /** The name of the member's next process. */
  String nextName(String member) {
    return member + processes.merge(member, 1, Integer::sum);
  }

  /** Starts a process of each of these members, under writes, and waits until all are ready. */
  List<ServiceJvm> join(String... members) throws IOException {
    List<ServiceJvm> started = new ArrayList<>();
    for (String member : members) {
      started.add(start(member));
    }
    started.forEach(underLoad::writeToAndWatch);
    return started;
  }

  /** Starts a process of this member, without writes or checks. */
  ServiceJvm start(String member) throws IOException {
    String name = nextName(member);
    return stage.start(name, service(name));
  }

  /** Starts a witness, which needs little memory. */
  ServiceJvm startWitness(String member) throws IOException {
    return startWitness(member, UnaryOperator.identity());
  }

  /** Starts a witness with additional configuration. */
  ServiceJvm startWitness(String member, UnaryOperator<AgentConf> with) throws IOException {
    String name = nextName(member);
    Path conf = stage.folder("witness").resolve("witness.conf");
    Files.writeString(conf, with.apply(conf(member)).set("node.id", name).text());
    return stage.start(
        name,
        JvmLauncher.jar(Artifacts.agent(), "witness", conf.toString())
            .withoutAgent()
            .option("-Xmx16m"));
  }

  /** Waits until one of these processes leads. */
  static ServiceJvm awaitLeader(List<ServiceJvm> nodes) {
    return Awaitility.await("a leader")
        .atMost(TIMEOUT)
        .until(() -> nodes.stream().filter(ServiceJvm::leads).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  /** Waits until this process reports the other one as leader. */
  static void awaitFollows(ServiceJvm follower, ServiceJvm leader) {
    Awaitility.await(follower.name() + " follows " + leader.name())
        .atMost(TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> leaderSeenBy(follower).startsWith(leader.name() + "-"));
  }

  private static String leaderSeenBy(ServiceJvm node) throws IOException, InterruptedException {
    return node.status().election().path("leader").asText();
  }
}
