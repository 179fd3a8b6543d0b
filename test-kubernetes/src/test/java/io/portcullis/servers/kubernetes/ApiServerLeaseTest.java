package io.portcullis.servers.kubernetes;

import static io.portcullis.servers.kubernetes.RawApiClient.lease;
import static io.portcullis.servers.kubernetes.RawApiClient.path;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApiServerLeaseTest {
  private final ApiServer server = ApiServer.start();
  private final RawApiClient http = new RawApiClient(server, "a");

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void newLeaseHasUidVersionAndCreationTime() {
    RawApiClient.RawResponse created = http.create("x", "me");

    assertThat(created.code()).isEqualTo(201);
    assertThat(created.uid()).isNotEmpty();
    assertThat(created.version()).isNotEmpty();
    assertThat(created.body().path("metadata").path("creationTimestamp").asText()).endsWith("Z");
    assertThat(http.get(path("x")).body()).isEqualTo(created.body());
  }

  @Test
  void existingLeaseIsNotCreatedAgain() {
    http.create("x", "me");

    RawApiClient.RawResponse second = http.create("x", "you");

    assertThat(second.code()).isEqualTo(409);
    assertThat(second.reason()).isEqualTo("AlreadyExists");
    assertThat(holder()).isEqualTo("me");
  }

  @Test
  void everyWriteHasItsOwnVersion() {
    RawApiClient.RawResponse first = http.create("x", "me");

    RawApiClient.RawResponse second = http.put("x", withHolder(first, "you"));

    assertThat(second.code()).isEqualTo(200);
    assertThat(Long.parseLong(second.version())).isGreaterThan(Long.parseLong(first.version()));
    assertThat(second.uid()).isEqualTo(first.uid());
    assertThat(http.get(path("x")).version()).isEqualTo(second.version());
  }

  @Test
  void writeWithAnOldVersionChangesNothing() {
    RawApiClient.RawResponse first = http.create("x", "me");
    http.put("x", withHolder(first, "you"));

    RawApiClient.RawResponse stale = http.put("x", withHolder(first, "me again"));

    assertThat(stale.code()).isEqualTo(409);
    assertThat(stale.reason()).isEqualTo("Conflict");
    assertThat(stale.body().path("kind").asText()).isEqualTo("Status");
    assertThat(holder()).isEqualTo("you");
  }

  @Test
  void writeWithoutAVersionIsRefused() {
    http.create("x", "me");

    RawApiClient.RawResponse blind = http.put("x", lease("x", "you"));

    assertThat(blind.code()).isEqualTo(422);
    assertThat(blind.reason()).isEqualTo("Invalid");
    assertThat(holder()).isEqualTo("me");
  }

  @Test
  void updateWithoutAChangeKeepsTheVersion() {
    RawApiClient.RawResponse first = http.create("x", "me");

    assertThat(http.put("x", first.body()).version()).isEqualTo(first.version());
  }

  @Test
  void recreatedLeaseHasAnotherUid() {
    RawApiClient.RawResponse first = http.create("x", "me");
    RawApiClient.RawResponse deleted = http.delete("x");

    RawApiClient.RawResponse second = http.create("x", "me");

    assertThat(deleted.code()).isEqualTo(200);
    assertThat(deleted.body().path("status").asText()).isEqualTo("Success");
    assertThat(second.uid()).isNotEqualTo(first.uid());
    assertThat(Long.parseLong(second.version())).isGreaterThan(Long.parseLong(first.version()) + 1);
  }

  @Test
  void updateOfADeletedLeaseWithItsUidConflicts() {
    RawApiClient.RawResponse first = http.create("x", "me");
    http.delete("x");

    RawApiClient.RawResponse late = http.put("x", withHolder(first, "you"));

    assertThat(late.code()).isEqualTo(409);
    assertThat(late.reason()).isEqualTo("Conflict");
    assertThat(http.get(path("x")).code()).isEqualTo(404);
  }

  @Test
  void updateOfADeletedLeaseWithoutUidCreatesIt() {
    ObjectNode blind = withHolder(http.create("x", "me"), "you");
    http.delete("x");

    ((ObjectNode) blind.get("metadata")).remove("uid");

    assertThat(http.put("x", blind).code()).isEqualTo(201);
    assertThat(holder()).isEqualTo("you");
  }

  @Test
  void updateWithAnotherUidConflicts() {
    RawApiClient.RawResponse old = http.create("x", "me");
    http.delete("x");
    ObjectNode mixed = withHolder(http.create("x", "you"), "me");

    ((ObjectNode) mixed.get("metadata")).put("uid", old.uid());

    assertThat(http.put("x", mixed).code()).isEqualTo(409);
    assertThat(holder()).isEqualTo("you");
  }

  @Test
  void missingLeaseIsNotFound() {
    RawApiClient.RawResponse missing = http.get(path("x"));

    assertThat(missing.code()).isEqualTo(404);
    assertThat(missing.reason()).isEqualTo("NotFound");
    assertThat(http.delete("x").code()).isEqualTo(404);
    assertThat(http.get("/apis/coordination.k8s.io/v1/namespaces/n/nothings").code())
        .isEqualTo(404);
  }

  @Test
  void deleteWithAnotherUidChangesNothing() {
    http.create("x", "me");

    RawApiClient.RawResponse refused =
        http.ask("DELETE", path("x"), "{\"preconditions\":{\"uid\":\"other\"}}", one -> one);

    assertThat(refused.code()).isEqualTo(409);
    assertThat(http.get(path("x")).code()).isEqualTo(200);
  }

  @Test
  void mergePatchChangesGivenFieldsAndRemovesNulls() {
    ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", "p").putObject("labels").put("a", "1").put("b", "2");
    String pods = "/api/v1/namespaces/" + ApiServer.NAMESPACE + "/pods";
    http.post(pods, pod);

    RawApiClient.RawResponse patched =
        http.patch(
            pods + "/p",
            "application/merge-patch+json",
            "{\"metadata\":{\"labels\":{\"a\":null,\"role\":\"leader\"}}}");

    assertThat(patched.code()).isEqualTo(200);
    assertThat(http.get(pods + "/p").body().path("metadata").path("labels"))
        .isEqualTo(Json.tree("{\"b\":\"2\",\"role\":\"leader\"}"));
    assertThat(http.get(pods + "?labelSelector=role%3Dleader").body().path("items")).hasSize(1);
    assertThat(http.get(pods + "?labelSelector=role%3Dstandby").body().path("items")).isEmpty();
  }

  @Test
  void jsonPatchWithAFailedTestChangesNothing() {
    http.create("x", "me");

    RawApiClient.RawResponse refused =
        http.patch(
            path("x"),
            "application/json-patch+json",
            "[{\"op\":\"test\",\"path\":\"/spec/holderIdentity\",\"value\":\"you\"},"
                + "{\"op\":\"replace\",\"path\":\"/spec/holderIdentity\",\"value\":\"him\"}]");

    assertThat(refused.code()).isEqualTo(422);
    assertThat(holder()).isEqualTo("me");
  }

  @Test
  void noConcurrentWriteIsLost() throws Exception {
    int racers = 4;
    int rounds = 25;
    ObjectNode start = lease("x", "me");
    ((ObjectNode) start.get("spec")).put("leaseTransitions", 0);
    http.post(RawApiClient.COLLECTION, start);
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < racers; i++) {
      tasks.add(() -> countUp(rounds));
    }
    ExecutorService threads = Executors.newFixedThreadPool(racers);

    int conflicts = 0;
    for (Future<Integer> task : threads.invokeAll(tasks)) {
      conflicts += task.get();
    }
    threads.shutdown();

    assertThat(http.get(path("x")).body().path("spec").path("leaseTransitions").asInt())
        .isEqualTo(racers * rounds);
    assertThat(conflicts).isPositive();
  }

  private int countUp(int rounds) {
    int conflicts = 0;
    for (int done = 0; done < rounds; ) {
      ObjectNode read = (ObjectNode) http.get(path("x")).body();
      ObjectNode spec = (ObjectNode) read.get("spec");
      spec.put("leaseTransitions", spec.path("leaseTransitions").asInt() + 1);
      int code = http.put("x", read).code();
      assertThat(code).isIn(200, 409);
      done += code == 200 ? 1 : 0;
      conflicts += code == 409 ? 1 : 0;
    }
    return conflicts;
  }

  private String holder() {
    return http.get(path("x")).body().path("spec").path("holderIdentity").asText();
  }

  private static ObjectNode withHolder(RawApiClient.RawResponse answer, String holder) {
    ObjectNode lease = answer.body().deepCopy();
    ((ObjectNode) lease.get("spec")).put("holderIdentity", holder);
    return lease;
  }
}
