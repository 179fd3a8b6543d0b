package io.portcullis.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.portcullis.agent.node.Node.NodeInfo;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.NodeViewFixtures;
import io.portcullis.agent.node.TransitionHistory.Transition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusJsonTest {
  private static final String[] ELECTION = {
    "role",
    "leader",
    "leaderAddress",
    "epoch",
    "leaseRemainingMillis",
    "heartbeatAgeMillis",
    "stale",
    "backend",
    "since",
    "why"
  };

  private static Config parsed(String json) {
    return ConfigFactory.parseString(
        json, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
  }

  @Test
  void probeJsonHasExactlyTheDocumentedFields() {
    Config json =
        parsed(
            StatusJson.probe(
                NodeViewFixtures.node(
                    NodeViewFixtures.leading("writer"), NodeViewFixtures.standby("a.b"))));

    assertThat(json.root()).containsOnlyKeys("node", "service", "version", "mode", "elections");
    assertThat(json.getString("node")).isEqualTo("a-4711-9f31");
    assertThat(json.getString("service")).isEqualTo("orders");
    assertThat(json.getString("version")).isEqualTo("1.2.3");
    assertThat(json.getString("mode")).isEqualTo("enforce");
    assertThat(json.getObject("elections")).containsOnlyKeys("writer", "a.b");
    assertThat(json.getObject("elections.writer")).containsOnlyKeys(ELECTION);
    assertThat(json.getObject("elections.writer").unwrapped())
        .containsEntry("role", "LEADER")
        .containsEntry("leader", "b-990-11aa")
        .containsEntry("leaderAddress", "http://10.0.0.8:8080")
        .containsEntry("epoch", 7)
        .containsEntry("leaseRemainingMillis", 29_500)
        .containsEntry("heartbeatAgeMillis", 250)
        .containsEntry("stale", false)
        .containsEntry("backend", "redis")
        .containsEntry("since", "2026-01-02T03:04:05.678Z")
        .containsEntry("why", "lease acquired");
  }

  @Test
  void staleLeaderIsFlagged() {
    Config json =
        parsed(StatusJson.probe(NodeViewFixtures.node(NodeViewFixtures.deserted("writer"))));

    assertThat(json.getBoolean("elections.writer.stale")).isTrue();
  }

  @Test
  void unknownValuesAreNullNotMissing() {
    ConfigObject writer =
        parsed(StatusJson.probe(NodeViewFixtures.node(NodeViewFixtures.blank("writer"))))
            .getObject("elections.writer");

    assertThat(writer).containsOnlyKeys(ELECTION);
    assertThat(writer.unwrapped())
        .containsEntry("epoch", null)
        .containsEntry("leader", null)
        .containsEntry("leaderAddress", null);
  }

  @Test
  void statusContainsRulesAndTransitions() {
    Config json =
        parsed(StatusJson.status(NodeViewFixtures.node(NodeViewFixtures.leading("writer"))));

    assertThat(json.root())
        .containsOnlyKeys(
            "node",
            "service",
            "version",
            "mode",
            "elections",
            "rules",
            "fences",
            "transitions",
            "pendingReload");
    assertThat(json.getIsNull("pendingReload")).isTrue();
    assertThat(json.getObjectList("fences").get(0).unwrapped())
        .containsOnlyKeys(
            "id",
            "election",
            "database",
            "epoch",
            "holder",
            "connections",
            "refused",
            "problem",
            "unused",
            "unfencedDrivers")
        .containsEntry("id", "main")
        .containsEntry("epoch", 7)
        .containsEntry("holder", "a-4711-9f31")
        .containsEntry("connections", 2)
        .containsEntry("refused", 1)
        .containsEntry("problem", null)
        .containsEntry("unused", true)
        .containsEntry("unfencedDrivers", List.of("r2dbc-postgresql"));
    assertThat(json.getObjectList("rules").get(0).unwrapped())
        .containsOnlyKeys(
            "id",
            "match",
            "action",
            "mode",
            "state",
            "wovenMethods",
            "passed",
            "blocked",
            "observed",
            "slowed",
            "refusedCallers",
            "hint")
        .containsEntry("id", "orders")
        .containsEntry("match", "com.acme.OrderStore#save(..)")
        .containsEntry("action", "throw")
        .containsEntry("mode", "enforce")
        .containsEntry("state", "ARMED")
        .containsEntry("wovenMethods", 2)
        .containsEntry("passed", 11)
        .containsEntry("blocked", 4)
        .containsEntry("observed", 3)
        .containsEntry("slowed", 5)
        .containsEntry(
            "refusedCallers",
            List.of(
                Map.of(
                    "frames",
                    List.of("com.acme.OrderStore#save:12", "com.acme.Api#post:34"),
                    "firstSeen",
                    NodeViewFixtures.SINCE.toString(),
                    "samples",
                    2)));
    assertThat(json.getObjectList("transitions").get(0).unwrapped())
        .containsEntry("election", "writer")
        .containsEntry("epoch", 7)
        .containsEntry("what", "new leader")
        .containsEntry("leader", "b-990-11aa");
  }

  @Test
  void pendingReloadIsShownWithFilesRulesAndRemedy() {
    Config json =
        parsed(
            StatusJson.status(
                NodeViewFixtures.withPendingReload(
                    NodeViewFixtures.node(NodeViewFixtures.leading("writer")))));

    assertThat(json.getObject("pendingReload").unwrapped())
        .containsEntry("since", "2026-01-02T03:04:05.678Z")
        .containsEntry("files", List.of("/etc/rules.conf"))
        .containsEntry("rules", List.of("orders"))
        .containsEntry("why", "orders is missing");
  }

  @Test
  void externalTextIsEscaped() {
    String nasty = "\"}, \"role\": \"LEADER\" \\ \n \u0001 ü \uD83D\uDE00";
    NodeView view =
        new NodeView(
            new NodeInfo(nasty, "orders", "1.2.3", "enforce"),
            List.of(),
            List.of(),
            List.of(),
            List.of(
                new Transition(
                    NodeViewFixtures.SINCE, "writer", 1, false, "new leader", nasty, nasty)),
            null);

    String json = StatusJson.status(view);

    assertThat(json).doesNotContain("\n");
    assertThat(parsed(json).getString("node")).isEqualTo(nasty);
    assertThat(parsed(StatusJson.error(nasty)).getString("error")).isEqualTo(nasty);
  }
}
