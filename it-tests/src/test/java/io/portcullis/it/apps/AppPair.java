package io.portcullis.it.apps;

import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.Launch;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.StoreEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import javax.management.JMException;
import org.awaitility.Awaitility;

/** Two nodes of an application, of which one leads and the other is on standby. */
final class AppPair {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private ServiceJvm leader;
  private ServiceJvm standby;

  private AppPair(ServiceJvm leader, ServiceJvm standby) {
    this.leader = leader;
    this.standby = standby;
  }

  /** Starts both at once, each as its name says. */
  static AppPair start(StoreEnvironment stage, Function<String, Launch> launch) throws IOException {
    ServiceJvm a = stage.start("a", launch.apply("a").env("PORTCULLIS__node__id", "a"));
    ServiceJvm b = stage.start("b", launch.apply("b").env("PORTCULLIS__node__id", "b"));
    Awaitility.await("one of two leads, and the other knows")
        .atMost(PATIENCE)
        .until(() -> isSettled(a, b) || isSettled(b, a));
    return a.leads() ? new AppPair(a, b) : new AppPair(b, a);
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

  /** The leader steps down, and the standby leads. */
  void swap() throws IOException, JMException {
    try (JmxConnection jmx = JmxConnection.to(leader)) {
      Awaitility.await().atMost(PATIENCE).until(() -> jmx.has(JmxConnection.election()));
      jmx.invoke("stepDown");
    }
    standby.awaitRole("LEADER");
    Awaitility.await("the former leader is on standby")
        .atMost(PATIENCE)
        .until(() -> isSettled(standby, leader));
    ServiceJvm former = leader;
    leader = standby;
    standby = former;
  }
}
