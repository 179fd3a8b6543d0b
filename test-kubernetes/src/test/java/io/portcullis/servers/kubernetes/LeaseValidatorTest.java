package io.portcullis.servers.kubernetes;

import static io.portcullis.servers.kubernetes.RawApiClient.lease;
import static io.portcullis.servers.kubernetes.RawApiClient.path;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseValidatorTest {
  private final ApiServer server = ApiServer.start();
  private final RawApiClient http = new RawApiClient(server, "a");

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "leaseDurationSeconds, 0, 422",
    "leaseDurationSeconds, -1, 422",
    "leaseDurationSeconds, \"15\", 400",
    "leaseDurationSeconds, 3000000000, 400",
    "leaseTransitions, -1, 422",
    "renewTime, \"yesterday\", 400",
    "renewTime, \"2026-01-01T10:00:00Z\", 400",
    "acquireTime, \"2026-13-01T10:00:00.000000Z\", 400",
    "holderIdentity, 7, 400",
  })
  void leasesRefusedByARealServerAreRefused(String field, String value, int code) {
    ObjectNode wrong = lease("x", "me");
    ((ObjectNode) wrong.get("spec")).set(field, Json.tree(value));

    assertThat(http.post(RawApiClient.COLLECTION, wrong).code()).isEqualTo(code);
    assertThat(http.get(path("x")).code()).isEqualTo(404);
  }

  @Test
  void newLeaseMustNotHaveAVersion() {
    ObjectNode lease = lease("x", "me");
    ((ObjectNode) lease.get("metadata")).put("resourceVersion", "7");

    assertThat(http.post(RawApiClient.COLLECTION, lease).code()).isEqualTo(500);
  }

  @Test
  void timesAreKeptInUtcWithSixDigits() {
    ObjectNode lease = lease("x", "me");
    ((ObjectNode) lease.get("spec")).put("renewTime", "2026-01-01T10:00:00.123456+02:00");

    RawApiClient.RawResponse created = http.post(RawApiClient.COLLECTION, lease);

    assertThat(created.body().path("spec").path("renewTime").asText())
        .isEqualTo("2026-01-01T08:00:00.123456Z");
  }
}
