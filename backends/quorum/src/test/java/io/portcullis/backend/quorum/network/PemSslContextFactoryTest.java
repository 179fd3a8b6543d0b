package io.portcullis.backend.quorum.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.portcullis.election.backend.PemSslContextFactory;
import io.portcullis.servers.SelfSignedCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class PemSslContextFactoryTest {
  @TempDir private Path folder = Path.of("");
  private Path certificate = folder;
  private Path key = folder;

  @BeforeEach
  void create() throws Exception {
    SelfSignedCertificate created = SelfSignedCertificate.create(folder, "dns:node");
    certificate = created.certificate();
    key = created.key();
  }

  private ThrowableAssertAlternative<IOException> rejectedKey(String text) throws IOException {
    Path other = Files.writeString(folder.resolve("other.pem"), text);
    return assertThatIOException()
        .isThrownBy(() -> PemSslContextFactory.context(certificate, other, certificate))
        .withMessageContaining(other.toString());
  }

  private static String labelled(String label) {
    return "-----BEGIN " + label + "-----\nAAAA\n-----END " + label + "-----\n";
  }

  @Test
  void certificateKeyAndCaCreateAContext() throws Exception {
    assertThat(PemSslContextFactory.context(certificate, key, certificate).getProtocol())
        .isEqualTo("TLS");
  }

  @Test
  void contextIsCreatedWithoutACa() throws Exception {
    assertThat(PemSslContextFactory.context(certificate, key, null).getProtocol()).isEqualTo("TLS");
  }

  @Test
  void fileMayContainOtherPemBlocks() throws Exception {
    Path both =
        Files.writeString(
            folder.resolve("both.pem"),
            "Subject: CN=test\n" + Files.readString(key) + "\n" + Files.readString(certificate));

    assertThat(PemSslContextFactory.context(both, both, both).getProtocol()).isEqualTo("TLS");
  }

  @Test
  void pkcs1KeyIsRejectedWithTheCommandToConvertIt() throws Exception {
    rejectedKey(labelled("RSA PRIVATE KEY")).withMessageContaining("openssl pkcs8 -topk8 -nocrypt");
    rejectedKey(labelled("EC PARAMETERS") + labelled("EC PRIVATE KEY"))
        .withMessageContaining("openssl pkcs8 -topk8 -nocrypt");
  }

  @Test
  void encryptedKeyIsRejected() throws Exception {
    rejectedKey(labelled("ENCRYPTED PRIVATE KEY")).withMessageContaining("encrypted key");
  }

  @Test
  void fileWithoutAKeyIsReported() throws Exception {
    rejectedKey("").withMessageContaining("no private key");
  }

  @Test
  void malformedKeyIsReported() throws Exception {
    rejectedKey(labelled("PRIVATE KEY")).withMessageContaining("broken");
  }

  @Test
  void keyOfAnotherCertificateIsRejected() throws Exception {
    Path otherFolder = Files.createDirectory(folder.resolve("other"));
    Path foreign = SelfSignedCertificate.create(otherFolder, "dns:node").key();

    assertThatIOException()
        .isThrownBy(() -> PemSslContextFactory.context(certificate, foreign, certificate))
        .withMessageContaining(foreign + " is not the key of the first certificate");
  }

  @Test
  void fileWithoutACertificateIsReported() {
    assertThatIOException()
        .isThrownBy(() -> PemSslContextFactory.context(certificate, key, key))
        .withMessageContaining(key + " holds no certificate");
  }

  @Test
  void missingFileIsReported() {
    Path missing = folder.resolve("missing.pem");

    assertThatIOException()
        .isThrownBy(() -> PemSslContextFactory.context(missing, key, certificate))
        .withMessageContaining("can't read " + missing);
  }
}
