package io.portcullis.servers.kubernetes;

import static io.portcullis.servers.kubernetes.RawApiClient.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class ApiFaultInjectorTest {
  private final ApiServer server = ApiServer.start();
  private final ApiFaultInjector faults = server.faults();
  private final RawApiClient a = new RawApiClient(server, "a");
  private final RawApiClient b = new RawApiClient(server, "b");
  private final LeaseClient leases = server.leases();

  @BeforeEach
  void openConnections() {
    a.create("x", "me");
    b.get(path("x"));
  }

  @AfterEach
  void stop() {
    leases.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "409, Conflict",
    "410, Expired",
    "500, InternalError",
    "503, ServiceUnavailable",
    "403, Forbidden"
  })
  void injectedStatusReplacesTheExecution(int code, String reason) {
    faults.set(Fault.status(code), Verb.UPDATE);

    RawApiClient.RawResponse refused = take("you");

    assertThat(refused.code()).isEqualTo(code);
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused.body().path("code").asInt()).isEqualTo(code);
    assertThat(a.get(path("x")).code()).isEqualTo(200);
    assertThat(holder()).contains("me");

    faults.heal();

    assertThat(take("you").code()).isEqualTo(200);
  }

  @Test
  void tooManyRequestsHasARetryAfterHeader() {
    faults.set(Fault.tooManyRequests(Duration.ofSeconds(3)), Verb.GET);

    RawApiClient.RawResponse refused = a.get(path("x"));

    assertThat(refused.code()).isEqualTo(429);
    assertThat(refused.response().headers().firstValue("Retry-After")).contains("3");
  }

  @Test
  void hangKeepsConnectionsOpenAndExecutesNothing() {
    faults.set(Fault.hang(), RequestFilter.all());

    assertThatThrownBy(() -> take(a.withShortTimeout(), "you"))
        .hasCauseInstanceOf(HttpTimeoutException.class);
    assertThatThrownBy(() -> new RawApiClient(server, "c").withShortTimeout().get(path("x")))
        .hasCauseInstanceOf(HttpTimeoutException.class);
    assertThat(holder()).contains("me");

    faults.heal();

    assertThat(a.get(path("x")).code()).isEqualTo(200);
    assertThat(holder()).contains("me");
  }

  @Test
  void heldRequestIsExecutedLater() {
    faults.set(Fault.holdBack(), RequestFilter.to(Verb.UPDATE));
    assertThatThrownBy(() -> take(a.withShortTimeout(), "you"))
        .hasCauseInstanceOf(HttpTimeoutException.class);
    assertThat(holder()).contains("me");

    faults.heal();

    Eventually.holds(() -> holder().equals(Optional.of("you")));
  }

  @Test
  void lostReplyClosesTheConnectionAfterTheWrite() {
    faults.setOnce(Fault.cutReply(), RequestFilter.to(Verb.UPDATE));

    assertThatThrownBy(() -> take("you")).isInstanceOf(UncheckedIOException.class);

    assertThat(holder()).contains("you");
    assertThat(take("him").code()).isEqualTo(200);
  }

  @Test
  void swallowedReplyFollowsAnExecutedWrite() {
    faults.set(Fault.swallowReply(), Verb.UPDATE);

    assertThatThrownBy(() -> take(a.withShortTimeout(), "you"))
        .hasCauseInstanceOf(HttpTimeoutException.class);

    assertThat(holder()).contains("you");
  }

  @Test
  void delayedReplyFollowsAnImmediateWrite() {
    faults.set(Fault.delayReply(Duration.ofMillis(400)), Verb.UPDATE);
    long sent = System.nanoTime();

    CompletableFuture<RawApiClient.RawResponse> late =
        CompletableFuture.supplyAsync(() -> take("you"));
    Eventually.holds(() -> holder().equals(Optional.of("you")));

    assertThat(late).isNotDone();
    assertThat(late.join().code()).isEqualTo(200);
    assertThat(System.nanoTime() - sent).isGreaterThan(Duration.ofMillis(400).toNanos());
  }

  @Test
  void faultMayAffectOneClientOnly() {
    faults.set(Fault.status(503), RequestFilter.all().by("a"));

    assertThat(a.get(path("x")).code()).isEqualTo(503);
    assertThat(b.get(path("x")).code()).isEqualTo(200);
  }

  @Test
  void faultMayAffectOneObjectOnly() {
    a.create("y", "me");

    faults.set(Fault.status(503), RequestFilter.to(Verb.GET).about("y"));

    assertThat(a.get(path("y")).code()).isEqualTo(503);
    assertThat(a.get(path("x")).code()).isEqualTo(200);
  }

  @Test
  void onlyTheRequiredTokenIsAccepted() {
    faults.requireToken("a");
    assertThat(a.get(path("x")).code()).isEqualTo(200);
    assertThat(b.get(path("x")).code()).isEqualTo(401);

    faults.requireToken("b");

    assertThat(a.get(path("x")).reason()).isEqualTo("Unauthorized");
    assertThat(b.get(path("x")).code()).isEqualTo(200);
  }

  @Test
  void accessReviewReportsForbiddenRequests() {
    faults.set(Fault.forbidden(), Verb.UPDATE, Verb.CREATE);

    assertThat(mayI("update")).isFalse();
    assertThat(mayI("create")).isFalse();
    assertThat(mayI("*")).isFalse();
    assertThat(mayI("get")).isTrue();
    assertThat(mayI("watch")).isTrue();

    faults.heal();

    assertThat(mayI("update")).isTrue();
  }

  @Test
  void updateCreatesNoLeaseWithoutTheRightToCreate() {
    ObjectNode lease = leases.read("x").orElseThrow();
    ((ObjectNode) lease.get("metadata")).remove("uid");
    leases.delete("x");

    faults.set(Fault.forbidden(), Verb.CREATE);

    assertThat(a.put("x", lease).code()).isEqualTo(403);
  }

  @Test
  void onlyRequestsOfClientsAreLogged() {
    Instant before = Instant.now();
    leases.read("x");
    a.get(path("x"));
    b.get(path("x"));
    take("you");

    assertThat(server.requests(RequestFilter.to(Verb.GET).by("a")))
        .hasSize(1)
        .allSatisfy(asked -> assertThat(asked.at()).isBetween(before, Instant.now()));
    assertThat(server.requests(RequestFilter.to(Verb.UPDATE)))
        .singleElement()
        .satisfies(asked -> assertThat(asked.userAgent()).isEqualTo("agent of a"))
        .satisfies(asked -> assertThat(asked.body()).contains("\"you\""));
    assertThat(server.requests().stream().map(RequestLogEntry::verb))
        .isEqualTo(List.of(Verb.CREATE, Verb.GET, Verb.GET, Verb.GET, Verb.UPDATE));
  }

  private RawApiClient.RawResponse take(String holder) {
    return take(a, holder);
  }

  private RawApiClient.RawResponse take(RawApiClient by, String holder) {
    ObjectNode lease = leases.read("x").orElseThrow();
    ((ObjectNode) lease.get("spec")).put("holderIdentity", holder);
    return by.put("x", lease);
  }

  private Optional<String> holder() {
    return leases.read("x").map(lease -> lease.path("spec").path("holderIdentity").asText());
  }

  private boolean mayI(String verb) {
    ObjectNode review = Json.object().put("apiVersion", "authorization.k8s.io/v1");
    review.put("kind", "SelfSubjectAccessReview");
    review
        .putObject("spec")
        .putObject("resourceAttributes")
        .put("group", "coordination.k8s.io")
        .put("resource", "leases")
        .put("namespace", ApiServer.NAMESPACE)
        .put("verb", verb);
    RawApiClient.RawResponse answer =
        a.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review);
    assertThat(answer.code()).isEqualTo(201);
    return answer.body().path("status").path("allowed").asBoolean();
  }
}
