package io.portcullis.servers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchTest {
  private final ApiServer server = ApiServer.start();
  private final ApiFaultInjector faults = server.faults();
  private final LeaseClient leases = server.leases();
  private final HttpClient client = HttpClient.newHttpClient();
  private ObjectNode first = Json.object();

  @BeforeEach
  void createOne() {
    first = leases.create("x", Json.object().put("holderIdentity", "me"));
  }

  @AfterEach
  void stop() {
    leases.close();
    server.close();
  }

  @Test
  void watchFromAVersionSendsLaterEventsWithWholeObjects() throws Exception {
    hold("you");
    WebSocketWatchClient watch = follow("x", version(first));

    JsonNode missed = watch.next();
    assertThat(missed.path("type").asText()).isEqualTo("MODIFIED");
    assertThat(missed.path("object")).isEqualTo(leases.read("x").orElseThrow());

    leases.delete("x");

    JsonNode deleted = watch.next();
    assertThat(deleted.path("type").asText()).isEqualTo("DELETED");
    assertThat(holder(deleted)).isEqualTo("you");
    assertThat(Long.parseLong(version(deleted.path("object"))))
        .isGreaterThan(Long.parseLong(version(missed.path("object"))));

    ObjectNode second = leases.create("x", Json.object().put("holderIdentity", "him"));

    JsonNode added = watch.next();
    assertThat(added.path("type").asText()).isEqualTo("ADDED");
    assertThat(added.path("object")).isEqualTo(second);
  }

  @Test
  void watchWithoutAVersionStartsWithExistingObjects() throws Exception {
    WebSocketWatchClient watch = follow("x", "");

    JsonNode event = watch.next();

    assertThat(event.path("type").asText()).isEqualTo("ADDED");
    assertThat(event.path("object")).isEqualTo(first);
  }

  @Test
  void watchOfOneLeaseReceivesNothingOfOthers() throws Exception {
    WebSocketWatchClient watch = follow("x", version(first));
    leases.create("y", Json.object());

    hold("you");

    assertThat(holder(watch.next())).isEqualTo("you");
  }

  @Test
  void watchWithoutAWebSocketGetsLines() throws Exception {
    HttpResponse<Stream<String>> response =
        client.send(
            HttpRequest.newBuilder(uri("http", "x", version(first))).build(),
            BodyHandlers.ofLines());
    Iterator<String> lines = response.body().iterator();

    hold("you");

    assertThat(holder(Json.tree(lines.next()))).isEqualTo("you");
    faults.closeWatches();
    assertThat(lines.hasNext()).isFalse();
  }

  @Test
  void watchFromAnExpiredVersionGetsGone() throws Exception {
    hold("you");
    server.forgetHistory();

    WebSocketWatchClient watch = follow("x", version(first));

    JsonNode event = watch.next();
    assertThat(event.path("type").asText()).isEqualTo("ERROR");
    assertThat(event.path("object").path("code").asInt()).isEqualTo(410);
    watch.awaitEnd();
  }

  @Test
  void watchEndsAfterItsRequestedTimeout() throws Exception {
    WebSocketWatchClient watch = followAt(uri("ws", "x", version(first)) + "&timeoutSeconds=1");

    watch.awaitEnd();
  }

  @Test
  void closedWatchesEndAndNewOnesAreAccepted() throws Exception {
    WebSocketWatchClient old = follow("x", version(first));

    faults.closeWatches();

    old.awaitEnd();
    hold("you");
    assertThat(holder(follow("x", version(first)).next())).isEqualTo("you");
  }

  @Test
  void refusedWatchesEndAndNewOnesAreRefused() throws Exception {
    WebSocketWatchClient old = follow("x", version(first));

    faults.refuseWatches(503);

    old.awaitEnd();
    assertThatThrownBy(() -> follow("x", version(first)))
        .hasCauseInstanceOf(WebSocketHandshakeException.class);
    faults.heal();
    follow("x", version(first));
  }

  @Test
  void silentWatchStaysOpenAndDeliversLater() throws Exception {
    WebSocketWatchClient watch = follow("x", version(first));

    faults.silenceWatches();
    hold("you");
    WebSocketWatchClient fresh = follow("x", version(first));

    watch.awaitPong();
    assertThat(watch.events).isEmpty();
    assertThat(watch.end).isNotDone();
    fresh.awaitPong();
    assertThat(fresh.events).isEmpty();

    faults.heal();

    assertThat(holder(watch.next())).isEqualTo("you");
    assertThat(holder(fresh.next())).isEqualTo("you");
  }

  @Test
  void clientMayCloseItsWatch() throws Exception {
    WebSocketWatchClient watch = follow("x", version(first));
    int open = server.connections();

    watch.socket().sendClose(WebSocket.NORMAL_CLOSURE, "enough").get(120, TimeUnit.SECONDS);

    watch.awaitEnd();
    Eventually.holds(() -> server.connections() == open - 1);
  }

  @Test
  void watchRequestsAreLogged() throws Exception {
    follow("x", version(first));

    assertThat(server.requests(RequestFilter.to(Verb.WATCH))).hasSize(1);
  }

  private void hold(String holder) {
    leases.edit("x", lease -> ((ObjectNode) lease.get("spec")).put("holderIdentity", holder));
  }

  private static String holder(JsonNode event) {
    return event.path("object").path("spec").path("holderIdentity").asText();
  }

  private static String version(JsonNode object) {
    return object.path("metadata").path("resourceVersion").asText();
  }

  private URI uri(String scheme, String name, String version) {
    return URI.create(
        server.url().replaceFirst("http", scheme)
            + RawApiClient.COLLECTION
            + "?allowWatchBookmarks=true&watch=true&fieldSelector=metadata.name%3D"
            + name
            + (version.isEmpty() ? "" : "&resourceVersion=" + version));
  }

  private WebSocketWatchClient follow(String name, String version) throws Exception {
    return followAt(uri("ws", name, version).toString());
  }

  private WebSocketWatchClient followAt(String uri) throws Exception {
    WebSocketWatchClient followed = new WebSocketWatchClient();
    client.newWebSocketBuilder().buildAsync(URI.create(uri), followed).get(120, TimeUnit.SECONDS);
    return followed;
  }
}
