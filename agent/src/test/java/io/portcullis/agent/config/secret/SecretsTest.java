package io.portcullis.agent.config.secret;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretsTest {
  private final Secrets known = new Secrets();

  @Test
  void shortSecretIsRedactedAsAWordLongOneEverywhere() {
    known.learn("test");
    known.learn("long-and-secret");

    assertThat(known.scrub("a test, the testing of latest: 'test' redis://u:test@h pw=test;x"))
        .isEqualTo("a ***, the testing of latest: '***' redis://u:***@h pw=***;x");
    assertThat(known.scrub("xlong-and-secretx")).isEqualTo("x***x");
  }
}
