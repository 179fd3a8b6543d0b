package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.ClientConfigFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid kubeconfig files. */
class KubeconfigTest {
  private static ApiServer server;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    server = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String problem(Path file, @Nullable String context) {
    InvalidElectionException wrong =
        catchThrowableOfType(InvalidElectionException.class, () -> Kubeconfig.read(file, context));
    assertThat(wrong).isNotNull();
    assertThat(wrong.problems()).hasSize(1);
    return wrong.problems().get(0);
  }

  private Path changed(String from, String to) throws IOException {
    Path file = server.kubeconfig(folder);
    String text = Files.readString(file);
    assertThat(text).contains(from);
    return Files.writeString(file, text.replace(from, to));
  }

  @Test
  void contextIsFixedWhenTheFileIsRead() {
    Path file = server.kubeconfigOfTwo(folder, ClientConfigFiles.RIGHT);

    assertThat(Kubeconfig.read(file, null))
        .isEqualTo(
            new Kubeconfig(file, ClientConfigFiles.RIGHT, server.url(), ApiServer.NAMESPACE));
    assertThat(Kubeconfig.read(file, ClientConfigFiles.WRONG).namespace())
        .isEqualTo("wrong-namespace");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "s3cret",
        "{",
        "token: [ s3cret",
        "kind: Config\n",
        "\u0000\u0001",
        "- s3cret\n- 2",
        "clusters: s3cret"
      })
  void invalidFileIsReportedWithoutItsContents(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("odd"), text);

    assertThat(problem(file, null))
        .startsWith("kubeconfig " + file)
        .doesNotContain("\n")
        .doesNotContain("s3cret");
  }

  @Test
  void lineOfTheMistakeIsReported() throws IOException {
    assertThat(problem(changed("users:\n", "users: [\n"), null)).contains(", at line ");
  }

  @Test
  void missingContextIsNeverReplacedByAnother() throws IOException {
    Path file = server.kubeconfig(folder);

    assertThat(problem(file, "staging"))
        .isEqualTo("context 'staging' is no context of " + file + ".");
    changed("current-context: " + ClientConfigFiles.RIGHT, "current-context: gone");
    assertThat(problem(file, null)).isEqualTo("kubeconfig 'gone' is no context of " + file + ".");
    changed("current-context: " + ClientConfigFiles.RIGHT, "");
    assertThat(problem(file, null))
        .isEqualTo("kubeconfig " + file + " has no current context; name one with context.");
  }

  @ParameterizedTest
  @CsvSource({
    "- name: cluster-right, - name: other",
    "    server: , '    proxy-url: '",
    "server: http:, server: ftp:"
  })
  void contextWithoutAServerIsReported(String from, String to) throws IOException {
    assertThat(problem(changed(from, to), null))
        .startsWith("kubeconfig " + folder)
        .contains("names no server for its context " + ClientConfigFiles.RIGHT);
  }
}
