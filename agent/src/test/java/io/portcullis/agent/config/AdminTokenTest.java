package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.agent.config.secret.AdminToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminTokenTest {
  private static final String TOKEN = "0123456789abcdef-one";
  private static final String NEXT = "0123456789abcdef-two";
  private static final String LINE = "http.admin-token-file = token";

  @TempDir private Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void newTrial() {
    trial = new ConfigFixture(folder);
  }

  private AdminToken token() {
    return trial.load().interfaces().http().adminToken().orElseThrow();
  }

  @Test
  void adminCommandsAreForbiddenWithoutToken() {
    assertThat(trial.with("").load().interfaces().http().adminToken()).isEmpty();
    assertThat(trial.with("http.admin-token-file = null").load().interfaces().http().adminToken())
        .isEmpty();
  }

  @Test
  void tokenFileIsReadAtEachUse() throws IOException {
    trial.with(LINE).file("token", TOKEN + "\n");
    AdminToken token = token();
    assertThat(token.is(TOKEN)).isTrue();
    assertThat(token.is(NEXT)).isFalse();

    trial.file("token", NEXT + "\n");

    assertThat(token.is(NEXT)).isTrue();
    assertThat(token.is(TOKEN)).isFalse();
  }

  @Test
  void invalidTokenFileAcceptsNoToken() throws IOException {
    trial.with(LINE).file("token", TOKEN);
    AdminToken token = token();

    for (String bad : List.of("", "short", "with spaces in the token")) {
      trial.file("token", bad);
      assertThatThrownBy(() -> token.is(bad)).isInstanceOf(IOException.class);
    }
    Files.delete(folder.resolve("token"));
    assertThatThrownBy(() -> token.is(TOKEN)).hasMessageContaining("does not exist");
  }

  @Test
  void tokenCanComeFromTheEnvironment() throws IOException {
    trial.with("").variable("PORTCULLIS__http__admin_token", TOKEN);

    assertThat(token().is(TOKEN)).isTrue();
    assertThat(token().is(NEXT)).isFalse();
    assertThat(trial.load().files().effective().toString()).doesNotContain(TOKEN);
  }

  @Test
  void strongerLayerWins() throws IOException {
    trial.with(LINE).file("token", TOKEN).variable("PORTCULLIS__http__admin_token", NEXT);
    assertThat(token().is(NEXT)).isTrue();

    trial.property("portcullis.http.admin-token-file", "token");
    assertThat(token().is(TOKEN)).isTrue();
  }

  @Test
  void invalidTokenIsRefusedWithPlaceAndRemedy() {
    assertThat(trial.with(LINE).problems())
        .singleElement()
        .asString()
        .contains("agent.conf:2", "http.admin-token-file", "does not exist");
    assertThat(trial.file("token", "").problems())
        .singleElement()
        .asString()
        .contains("is empty; write the secret into it");
    assertThat(trial.file("token", "changeme").problems())
        .singleElement()
        .asString()
        .contains("shorter than 16 characters", "openssl rand")
        .doesNotContain("changeme");
    assertThat(trial.file("token", "sixteen characters and spaces").problems())
        .singleElement()
        .asString()
        .contains("one line of visible ASCII")
        .doesNotContain("sixteen");
    assertThat(trial.with("http.admin-token = " + TOKEN).problems())
        .singleElement()
        .asString()
        .contains("must not be set in a file")
        .doesNotContain(TOKEN);
  }

  @Test
  void adminTokenIsNeverShown() {
    trial.with(LINE).file("token", TOKEN);

    assertThat(token()).hasToString("***");
    assertThat(trial.load().interfaces().http().toString()).doesNotContain(TOKEN);
    assertThat(trial.load().files().effective().toString())
        .contains("portcullis.http.admin-token-file = token")
        .doesNotContain(TOKEN);
  }
}
