package io.portcullis.it.apps;

import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import javax.management.JMException;
import org.awaitility.Awaitility;

/** Two nodes of an application: one leads, the other is a standby. */
final class LeaderStandbyPair {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private ServiceJvm leader;
  private ServiceJvm standby;

  private LeaderStandbyPair(ServiceJvm leader, ServiceJvm standby) {
    this.leader = leader;
    this.standby = standby;
  }

  /** Starts both at once, launched by name. */
  static LeaderStandbyPair start(TestEnvironment stage, Function<String, JvmLauncher> launch)
      throws IOException {
    ServiceJvm a = stage.start("a", launch.apply("a").env("PORTCULLIS__node__id", "a"));
    ServiceJvm b = stage.start("b", launch.apply("b").env("PORTCULLIS__node__id", "b"));
    Awaitility.await("one of two leads, and the other knows it")
        .atMost(TIMEOUT)
        .until(() -> isSettled(a, b) || isSettled(b, a));
    return a.leads() ? new LeaderStandbyPair(a, b) : new LeaderStandbyPair(b, a);
  }

  private static boolean isSettled(ServiceJvm leader, ServiceJvm standby)
      throws IOException, InterruptedException {
    return leader.leads()
        && standby.role().equals("STANDBY")
        && standby.status().election().path("leader").asText().startsWith(leader.name() + "-");
  }

  ServiceJvm leader() {
    return leader;
  }

  ServiceJvm standby() {
    return standby;
  }

  /** Makes the leader step down, and waits until the standby leads. */
  void switchLeader() throws IOException, JMException {
    try (JmxConnection jmx = JmxConnection.to(leader)) {
      Awaitility.await().atMost(TIMEOUT).until(() -> jmx.has(JmxConnection.election()));
      jmx.invoke("stepDown");
    }
    standby.awaitRole("LEADER");
    ServiceJvm former = leader;
    leader = standby;
    standby = former;
    Awaitility.await("the former leader is on standby")
        .atMost(TIMEOUT)
        .until(() -> isSettled(leader, standby));
  }
}
