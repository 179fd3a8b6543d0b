package io.portcullis.backend.quorum;

import static io.portcullis.backend.quorum.QuorumPlanFixture.SECRET;
import static io.portcullis.backend.quorum.QuorumPlanFixture.plan;
import static io.portcullis.backend.quorum.QuorumPlanFixture.problem;
import static io.portcullis.backend.quorum.QuorumPlanFixture.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.ClusterAuth.MinLengthSecret;
import io.portcullis.servers.SelfSignedCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the settings with which members authenticate each other: secrets and TLS. */
class ClusterAuthTest {
  @TempDir Path folder;

  @Test
  void withoutSecretAndTlsOnlyLoopbackAddressesAreAllowed() {
    Map<String, String> local = new HashMap<>();
    local.put("quorum.secret", "");
    local.put("quorum.members.a", "127.0.0.1:1");
    local.put("quorum.members.b", "[::1]:2");
    local.put("quorum.members.c", "localhost:3");
    assertThat(plan(local).describe()).contains("no secret");

    local.put("quorum.listen", "0.0.0.0:2");
    assertThat(problem(local))
        .startsWith("quorum.secret-file is missing: without a secret and without TLS")
        .contains("any client that reaches 0.0.0.0:2 could vote")
        .contains("or set tls");

    local.put("quorum.listen", "localhost:2");
    local.put("quorum.members.c", "10.0.0.9:7400");
    assertThat(problem(local)).contains("any client that reaches 10.0.0.9:7400 could vote");

    local.put("quorum.self", "x");
    assertThat(problems(local))
        .hasSize(2)
        .anyMatch(text -> text.contains("any client that reaches 10.0.0.9:7400 could vote"));
  }

  @Test
  void secretUnder16CharactersIsRejected() {
    assertThat(plan(Map.of("quorum.secret", "s".repeat(16))).trust().secrets()).hasSize(1);

    assertThat(problem(Map.of("quorum.secret", "s".repeat(15))))
        .startsWith("quorum.secret has fewer than 16 characters")
        .contains("openssl rand");
    assertThat(problem(Map.of("quorum.other-secret", "short")))
        .startsWith("quorum.other-secret has fewer than 16 characters");
  }

  @Test
  void otherSecretMustDifferAndNeedsAFirstSecret() {
    assertThat(problem(Map.of("quorum.other-secret", SECRET)))
        .startsWith("quorum.other-secret is the same as secret");
    assertThat(problem(Map.of("quorum.secret", "", "quorum.other-secret", SECRET)))
        .startsWith("quorum.other-secret is a second secret, but there is no first one");
  }

  @Test
  void tlsFilesMustBeCompleteAndReadable() throws IOException {
    String cert = Files.writeString(folder.resolve("cert.pem"), "x").toString();
    Map<String, String> tls =
        Map.of("quorum.secret", "", "quorum.tls.cert", cert, "quorum.tls.key", cert);

    assertThat(problem(tls)).startsWith("quorum.tls.ca is missing; TLS needs all of cert, key");

    Map<String, String> unreadable = new HashMap<>(tls);
    unreadable.put("quorum.tls.ca", folder.resolve("none.pem").toString());
    assertThat(problem(unreadable))
        .startsWith("quorum.tls.ca names a file that can't be read: " + folder)
        .contains("none.pem");
    unreadable.put("quorum.tls.ca", folder.toString());
    assertThat(problem(unreadable)).startsWith("quorum.tls.ca names a file that can't be read");
    unreadable.put("quorum.tls.ca", cert);
    assertThat(problem(unreadable)).startsWith("quorum.tls").contains("cert.pem");
  }

  @Test
  void tlsIsReadFromPemFiles() throws Exception {
    SelfSignedCertificate own = SelfSignedCertificate.create(folder, "ip:127.0.0.1");

    Map<String, String> tls =
        Map.of(
            "quorum.secret",
            "",
            "quorum.tls.cert",
            own.certificate().toString(),
            "quorum.tls.key",
            own.key().toString(),
            "quorum.tls.ca",
            own.certificate().toString());

    assertThat(plan(tls).trust().credentials().tls()).isNotNull();
    assertThat(plan(tls).describe()).contains("authenticates with mutual TLS");
  }

  @Test
  void newCertificateIsUsedOnceItsKeyMatches() throws Exception {
    SelfSignedCertificate old =
        SelfSignedCertificate.create(Files.createDirectory(folder.resolve("old")), "dns:localhost");
    SelfSignedCertificate next =
        SelfSignedCertificate.create(
            Files.createDirectory(folder.resolve("next")), "dns:localhost");
    Path cert = Files.copy(old.certificate(), folder.resolve("cert.pem"));
    Path key = Files.copy(old.key(), folder.resolve("key.pem"));
    ClusterAuth auth =
        plan(Map.of(
                "quorum.secret",
                "",
                "quorum.tls.cert",
                cert.toString(),
                "quorum.tls.key",
                key.toString(),
                "quorum.tls.ca",
                cert.toString()))
            .trust();
    Object first = auth.credentials().tls();
    assertThat(auth.credentials().tls()).isSameAs(first);

    Files.copy(next.certificate(), cert, StandardCopyOption.REPLACE_EXISTING);
    assertThat(auth.credentials().tls()).isSameAs(first);
    Files.copy(next.key(), key, StandardCopyOption.REPLACE_EXISTING);
    assertThat(auth.credentials().tls()).isNotSameAs(first).isNotNull();
  }

  @Test
  void secretIsNotReplacedByATooShortOne() {
    AtomicReference<String> text = new AtomicReference<>(SECRET);
    MinLengthSecret secret =
        new MinLengthSecret("secret", () -> Objects.requireNonNull(text.get()));

    text.set("short");
    assertThat(secret.current()).isEqualTo(SECRET);
    text.set("another-" + SECRET);
    assertThat(secret.current()).isEqualTo("another-" + SECRET);
  }
}
