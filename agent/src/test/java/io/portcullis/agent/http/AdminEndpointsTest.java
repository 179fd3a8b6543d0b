package io.portcullis.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.config.HttpSection;
import io.portcullis.agent.config.HttpSection.ReadyWhen;
import io.portcullis.agent.config.secret.AdminTokens;
import io.portcullis.agent.http.HttpEndpoint.EndpointSources;
import io.portcullis.agent.node.AuditLog.AdminCommandOutcome;
import io.portcullis.agent.node.DisabledElection;
import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.ParticipantFixture;
import io.portcullis.agent.node.ReloadOutcome;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.RoleName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests admin commands by HTTP to a real election. */
class AdminEndpointsTest {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";

  @TempDir private Path folder;
  private final ParticipantFixture member = ParticipantFixture.on(new InProcessLease());
  private final DisabledElection off =
      new DisabledElection("reader", "trial", false, "mode is off");
  private ReloadOutcome outcome =
      new ReloadOutcome(ReloadOutcome.Result.IN_FORCE, "rules reloaded", List.of());

  @BeforeEach
  void lead() {
    awaitRole(RoleName.LEADER);
  }

  @AfterEach
  void leave() {
    member.close();
  }

  private void awaitRole(RoleName role) {
    await().atMost(ParticipantFixture.LONG).until(() -> member.view().leadership().role() == role);
  }

  private RequestRouter router(boolean withToken, NodeElection... elections) {
    return new RequestRouter(
        new HttpSection(
            true,
            "127.0.0.1",
            0,
            ReadyWhen.PARTICIPATING,
            withToken ? Optional.of(AdminTokens.inFile(folder, TOKEN)) : Optional.empty(),
            Optional.empty()),
        new EndpointSources(
            () -> member.node().view(),
            view -> "",
            List.of(elections),
            () -> outcome,
            () -> "{\"all\":1}"));
  }

  private RequestRouter router() {
    return router(true, member.participant());
  }

  private static HttpRequest post(String path, String body, String token) {
    return new HttpRequest(
        "POST",
        path,
        token.isEmpty() ? Map.of() : Map.of("authorization", "Bearer " + token),
        body,
        false,
        "127.0.0.1");
  }

  private static HttpRequest get(String path, String token) {
    return new HttpRequest(
        "GET",
        path,
        token.isEmpty() ? Map.of() : Map.of("authorization", "Bearer " + token),
        "",
        false,
        "127.0.0.1");
  }

  private HttpResponse command(String path, String body) {
    return router().answer(post(path, body, TOKEN));
  }

  @Test
  void drainAndResumeAreIdempotent() {
    HttpResponse drained = command("/api/drain", "{\"seconds\": 5}");

    assertThat(drained.status()).isEqualTo(202);
    assertThat(drained.body())
        .contains("\"command\":\"drain\"", "\"role\":\"LEADER\"", "\"seconds\":5");
    awaitRole(RoleName.DRAINED);
    assertThat(command("/api/drain", "").status()).isEqualTo(202);
    assertThat(command("/api/drain", "").body())
        .contains("\"role\":\"DRAINED\"", "is drained already");
    assertThat(command("/api/step-down", "").body())
        .contains("was not leading (DRAINED)", "nothing changes");

    assertThat(command("/api/resume", "").status()).isEqualTo(202);
    awaitRole(RoleName.LEADER);
    assertThat(command("/api/resume", "").status()).isEqualTo(202);
    assertThat(command("/api/resume", "").body()).contains("was not drained; nothing changes");
  }

  @ParameterizedTest
  @EnumSource(
      value = RoleName.class,
      names = {"STANDBY", "CANDIDATE"})
  void stepDownOnANonLeaderReportsNoHandover(RoleName role) {
    assertThat(AdminCommandOutcome.of("step-down", role))
        .contains("was not leading (" + role + ")", "stays out until another leads");
    assertThat(AdminCommandOutcome.of("drain", role))
        .contains("was not leading (" + role + ")", "stays out until resume");
  }

  @Test
  void stepDownReleasesLeadership() {
    Long before = member.view().leadership().epoch();

    assertThat(
            command("/api/step-down", "{\"election\": \"" + member.participant().name() + "\"}")
                .status())
        .isEqualTo(202);

    await().atMost(ParticipantFixture.LONG).until(() -> !member.view().isLeader());
    assertThat(before).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/drain", "/api/resume", "/api/step-down", "/api/reload"})
  void commandWithWrongTokenHasNoEffect(String path) {
    HttpResponse none = router().answer(post(path, "", ""));
    HttpResponse wrong = router().answer(post(path, "", TOKEN + "x"));
    HttpResponse unset = router(false, member.participant()).answer(post(path, "", TOKEN));

    assertThat(none.status()).isEqualTo(401);
    assertThat(none.more()).containsEntry("WWW-Authenticate", "Bearer");
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.body()).doesNotContain(TOKEN);
    assertThat(unset.status()).isEqualTo(403);
    assertThat(router().answer(get(path, TOKEN)).status()).isEqualTo(405);
    assertThat(member.view().leadership().role()).isEqualTo(RoleName.LEADER);
  }

  @Test
  void wrongTokensAreRateLimited() {
    RequestRouter router = router();
    for (int i = 0; i < TokenRateLimiter.MAX_FREE_FAILURES; i++) {
      assertThat(router.answer(post("/api/resume", "", "wrong" + i)).status()).isEqualTo(401);
    }

    HttpResponse next = router.answer(post("/api/resume", "", "wrong"));

    assertThat(next.status()).isEqualTo(429);
    assertThat(next.more()).containsEntry("Retry-After", "1");
    await()
        .atMost(ParticipantFixture.LONG)
        .until(() -> router.answer(post("/api/resume", "", TOKEN)).status() == 202);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"seconds\": -1}          | seconds must be a whole number from 0 to 3600",
        "{\"seconds\": 3601}        | seconds must be a whole number from 0 to 3600",
        "{\"seconds\": 1.5}         | seconds must be a whole number",
        "{\"seconds\": 1e300}       | seconds must be a whole number",
        "{\"seconds\": 1e400}       | seconds must be a whole number",
        "{\"seconds\": -1e400}      | seconds must be a whole number",
        "{\"seconds\": \"30\"}      | seconds must be a whole number",
        "{\"election\": 7}          | election must be a name in quotes",
        "{\"election\": \"other\"}  | There is no such election; there is: election-",
        "{\"secnds\": 3}            | Unknown: secnds",
        "{\"seconds\": 3            | not JSON",
        "seconds = 3                | not JSON",
        "[1]                        | not JSON",
        "[[[[[[[[[[[[[[[[[[[[       | plain JSON",
      })
  void invalidBodyIsExplained(String body, String part) {
    HttpResponse reply = command("/api/drain", body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains(part.strip());
    assertThat(member.view().leadership().role()).isEqualTo(RoleName.LEADER);
  }

  @Test
  void electionMustBeNamedIfThereAreSeveral() {
    RequestRouter both = router(true, member.participant(), off);

    assertThat(both.answer(post("/api/drain", "", TOKEN)).status()).isEqualTo(400);
    assertThat(both.answer(post("/api/drain", "{}", TOKEN)).body()).contains("reader");
  }

  @Test
  void disabledElectionRefusesCommandsByHttp() {
    HttpResponse reply = router(true, off).answer(post("/api/drain", "", TOKEN));

    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.body()).contains("mode is off");
  }

  @Test
  void reloadReturnsItsOutcome() {
    assertThat(command("/api/reload", "").status()).isEqualTo(200);
    assertThat(command("/api/reload", "{\"seconds\":3}").status()).isEqualTo(400);

    outcome =
        new ReloadOutcome(ReloadOutcome.Result.INVALID, "refused", List.of("agent.conf:3: bad"));
    assertThat(command("/api/reload", "").status()).isEqualTo(422);
    assertThat(command("/api/reload", "").body())
        .contains("\"inForce\":false", "\"problems\":[\"agent.conf:3: bad\"]");

    outcome = new ReloadOutcome(ReloadOutcome.Result.NEEDS_RESTART, "refused", List.of("mode"));
    assertThat(command("/api/reload", "{}").status()).isEqualTo(409);
  }

  @Test
  void diagnosticsRequireTheToken() {
    assertThat(router().answer(get("/api/diagnostics", "")).status()).isEqualTo(401);
    assertThat(router(false).answer(get("/api/diagnostics", "")).status()).isEqualTo(403);
    assertThat(router().answer(post("/api/diagnostics", "", TOKEN)).status()).isEqualTo(405);
    assertThat(router().answer(get("/api/diagnostics", TOKEN)).body()).isEqualTo("{\"all\":1}");
  }
}
