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
    SelfSignedCertificate made = SelfSignedCertificate.create(folder, "dns:node");
    certificate = made.certificate();
    key = made.key();
  }

  private ThrowableAssertAlternative<IOException> refusedKey(String text) throws IOException {
    Path other = Files.writeString(folder.resolve("other.pem"), text);
    return assertThatIOException()
        .isThrownBy(() -> PemSslContextFactory.context(certificate, other, certificate))
        .withMessageContaining(other.toString());
  }

  private static String labelled(String label) {
    return "-----BEGIN " + label + "-----\nAAAA\n-----END " + label + "-----\n";
  }

  @Test
  void aCertificateItsKeyAndTheCaMakeAContext() throws Exception {
    assertThat(PemSslContextFactory.context(certificate, key, certificate).getProtocol())
        .isEqualTo("TLS");
  }

  @Test
  void withoutACaOnlyThisSideShowsACertificate() throws Exception {
    assertThat(PemSslContextFactory.context(certificate, key, null).getProtocol()).isEqualTo("TLS");
  }

  @Test
  void aFileMayHoldOtherThingsToo() throws Exception {
    Path both =
        Files.writeString(
            folder.resolve("both.pem"),
            "Subject: CN=test\n" + Files.readString(key) + "\n" + Files.readString(certificate));

    assertThat(PemSslContextFactory.context(both, both, both).getProtocol()).isEqualTo("TLS");
  }

  @Test
  void anOlderFormOfKeyComesWithTheCommandThatConvertsIt() throws Exception {
    refusedKey(labelled("RSA PRIVATE KEY")).withMessageContaining("openssl pkcs8 -topk8 -nocrypt");
    refusedKey(labelled("EC PARAMETERS") + labelled("EC PRIVATE KEY"))
        .withMessageContaining("openssl pkcs8 -topk8 -nocrypt");
  }

  @Test
  void anEncryptedKeyIsRefusedAsSuch() throws Exception {
    refusedKey(labelled("ENCRYPTED PRIVATE KEY")).withMessageContaining("encrypted key");
  }

  @Test
  void aFileWithoutAKeyIsNamed() throws Exception {
    refusedKey("").withMessageContaining("no private key");
  }

  @Test
  void aBrokenKeyIsNamed() throws Exception {
    refusedKey(labelled("PRIVATE KEY")).withMessageContaining("broken");
  }

  @Test
  void theKeyOfAnotherCertificateIsRefused() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path foreign = SelfSignedCertificate.create(elsewhere, "dns:node").key();

    assertThatIOException()
        .isThrownBy(() -> PemSslContextFactory.context(certificate, foreign, certificate))
        .withMessageContaining(foreign + " is not the key of the first certificate");
  }

  @Test
  void aFileWithoutACertificateIsNamed() {
    assertThatIOException()
        .isThrownBy(() -> PemSslContextFactory.context(certificate, key, key))
        .withMessageContaining(key + " holds no certificate");
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = folder.resolve("missing.pem");

    assertThatIOException()
        .isThrownBy(() -> PemSslContextFactory.context(missing, key, certificate))
        .withMessageContaining("can't read " + missing);
  }
}
