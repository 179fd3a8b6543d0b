package io.portcullis.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.servers.RedisServer;
import io.portcullis.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * A store that is unreachable, then reachable, then unreachable again: a node becomes standby,
 * leader, and standby. Several nodes can run through it at once, each with its own service.
 *
 * <p>A node's application repeatedly prints {@code work: done} or {@code work: refused}.
 */
public final class PromotionScenario {
  /** Long, since a busy machine starts several JVMs at once. */
  private static final Duration LEASE = Duration.ofSeconds(4);

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String DONE = "work: done";
  private static final String REFUSED = "work: refused";

  /** Enough calls to be sure that no earlier call is still running. */
  private static final int STEADY = 5;

  private final TcpProxy store;

  private PromotionScenario(TcpProxy store) {
    this.store = store;
  }

  /** The server is unreachable at first. */
  public static PromotionScenario by(TestEnvironment stage, RedisServer redis) {
    TcpProxy store = stage.proxyTo(redis);
    store.dropSilently();
    return new PromotionScenario(store);
  }

  /**
   * Configuration of one node; its rule {@code work} gates the method that is called repeatedly.
   */
  public AgentConf conf(String service, String method) {
    return AgentConf.redis("redis://" + store.host() + ":" + store.port(), LEASE)
        .set("service", service)
        .set("elections.writer.timing.ask-timeout", "1s")
        .set("elections.writer.settle", "100ms")
        .rule("{ id = work, match = \"" + method + "\" }");
  }

  /** Fails unless work is refused on the standby, done by the leader, and refused again. */
  public void assertGateFollowsLeadership(ServiceJvm... jvms) {
    assertGateFollowsLeadership(List.of(jvms));
  }

  public void assertGateFollowsLeadership(List<ServiceJvm> jvms) {
    assertRefused(jvms);
    promote(jvms);
    demote(jvms);
  }

  /** Returns when each node has made refused calls. */
  public void assertRefused(List<ServiceJvm> jvms) {
    for (ServiceJvm jvm : jvms) {
      awaitFurther(jvm, REFUSED, 0);
      assertThat(jvm.output().stdout()).noneMatch(line -> line.startsWith(DONE));
    }
  }

  /** Returns when all nodes lead and work. */
  public void promote(List<ServiceJvm> jvms) {
    store.heal();
    for (ServiceJvm jvm : jvms) {
      Awaitility.await(jvm.name() + " leads").atMost(TIMEOUT).until(jvm::leads);
      awaitFurther(jvm, DONE, 0);
    }
  }

  /** Returns when no node leads or works any more. */
  public void demote(List<ServiceJvm> jvms) {
    store.dropSilently();
    for (ServiceJvm jvm : jvms) {
      Awaitility.await(jvm.name() + " no longer leads").atMost(TIMEOUT).until(() -> !jvm.leads());
      int shut = jvm.output().stdout().size();
      int refused = awaitFurther(jvm, REFUSED, shut);
      awaitFurther(jvm, REFUSED, refused + STEADY);
      List<String> lines = jvm.output().stdout();
      assertThat(lines.subList(refused, lines.size())).noneMatch(line -> line.startsWith(DONE));
    }
  }

  /** The index of the first line with this start at or after the given index. */
  private static int awaitFurther(ServiceJvm jvm, String start, int from) {
    return Awaitility.await(jvm.name() + ": " + start + " after line " + from)
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(20))
        .failFast(jvm.name() + " has ended", () -> !jvm.isAlive())
        .until(() -> indexOf(jvm.output().stdout(), start, from), index -> index >= 0);
  }

  private static int indexOf(List<String> lines, String start, int from) {
    for (int i = from; i < lines.size(); i++) {
      if (lines.get(i).startsWith(start)) {
        return i;
      }
    }
    return -1;
  }
}
