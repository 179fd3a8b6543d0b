package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpTlsTest {
  @TempDir private Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void newTrial() {
    trial = new ConfigFixture(folder);
  }

  @Test
  void tlsIsOffWithoutFiles() {
    assertThat(trial.with("").load().interfaces().http().tls()).isEmpty();
  }

  @Test
  void certificateNeedsAKeyAndViceVersa() {
    assertThat(trial.with("http.tls.cert = a.pem").problems())
        .singleElement()
        .asString()
        .contains("http.tls.key", "is missing; TLS requires cert and key");
    assertThat(trial.with("http.tls.ca = a.pem").problems())
        .singleElement()
        .asString()
        .contains("http.tls.cert", "is missing");
  }

  @Test
  void invalidTlsFileIsNamed() {
    trial.with("http.tls { cert = a.pem, key = b.pem }");
    assertThat(trial.problems())
        .singleElement()
        .asString()
        .contains("agent.conf:2", "http.tls", "can't read " + folder.resolve("a.pem"));

    trial.file("a.pem", "nothing");
    assertThat(trial.problems()).singleElement().asString().contains("holds no certificate");
  }
}
