package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.HoconSettings.ReloadableSecret;
import io.portcullis.agent.config.ValueReader.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadableSecretTest {
  @TempDir Path folder;
  private final Secrets known = new Secrets();

  private ReloadableSecret secret(String text) throws IOException, InvalidValueException {
    Files.writeString(folder.resolve("secret"), text);
    return ReloadableSecret.read(folder, "secret", known);
  }

  @Test
  void itIsWhatTheFileSaysAtTheMoment() throws IOException, InvalidValueException {
    ReloadableSecret secret = secret("the old one\n");
    assertThat(secret.current()).isEqualTo("the old one");

    Files.writeString(folder.resolve("secret"), "the new one\n");

    assertThat(secret.current()).isEqualTo("the new one");
  }

  @Test
  void whileTheFileIsMissingOrEmptyTheLastOneHolds() throws IOException, InvalidValueException {
    ReloadableSecret secret = secret("the old one");

    Files.delete(folder.resolve("secret"));
    assertThat(secret.current()).isEqualTo("the old one");
    Files.writeString(folder.resolve("secret"), "");
    assertThat(secret.current()).isEqualTo("the old one");
    Files.writeString(folder.resolve("secret"), "the new one");
    assertThat(secret.current()).isEqualTo("the new one");
  }

  @Test
  void neitherTheOldNorTheNewOneIsEverShown() throws IOException, InvalidValueException {
    ReloadableSecret secret = secret("the old one");
    Files.writeString(folder.resolve("secret"), "the new one");
    secret.current();

    assertThat(known.scrub("not the old one, not the new one"))
        .doesNotContain("the old one", "the new one");
    assertThat(secret.toString()).doesNotContain("one");
  }

  @Test
  void shortSecretIsRedactedAsAWordLongOneEverywhere() {
    known.learn("test");
    known.learn("long-and-secret");

    assertThat(known.scrub("a test, the testing of latest: 'test' redis://u:test@h pw=test;x"))
        .isEqualTo("a ***, the testing of latest: '***' redis://u:***@h pw=***;x");
    assertThat(known.scrub("xlong-and-secretx")).isEqualTo("x***x");
  }
}
