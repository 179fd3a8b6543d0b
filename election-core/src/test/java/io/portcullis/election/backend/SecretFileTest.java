package io.portcullis.election.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
  @TempDir Path folder;
  private final List<String> values = new ArrayList<>();

  private SecretFile secret(String text) throws IOException {
    Files.writeString(folder.resolve("secret"), text);
    return SecretFile.open(folder.resolve("secret"), values::add);
  }

  @Test
  void secretFollowsItsFile() throws IOException {
    SecretFile secret = secret("the old one\n");
    assertThat(secret.current()).isEqualTo("the old one");

    Files.writeString(folder.resolve("secret"), "the new one\n");

    assertThat(secret.current()).isEqualTo("the new one");
  }

  @Test
  void unreadableFileKeepsTheLastValue() throws IOException {
    SecretFile secret = secret("the old one");

    Files.delete(folder.resolve("secret"));
    assertThat(secret.current()).isEqualTo("the old one");
    Files.writeString(folder.resolve("secret"), "");
    assertThat(secret.current()).isEqualTo("the old one");
    Files.writeString(folder.resolve("secret"), "the new one");
    assertThat(secret.current()).isEqualTo("the new one");
  }

  @Test
  void eachValueIsReportedOnceAndNoneIsShown() throws IOException {
    SecretFile secret = secret("the old one");
    Files.writeString(folder.resolve("secret"), "the new one");
    secret.current();
    secret.current();

    assertThat(values).containsExactly("the old one", "the new one");
    assertThat(secret.toString()).doesNotContain("one");
  }

  @Test
  void refusedFileIsNamedWithTheReason() throws IOException {
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff});

    assertThatThrownBy(() -> SecretFile.read(folder))
        .hasMessageContaining("is a folder, not a file");
    assertThatThrownBy(() -> SecretFile.read(folder.resolve("none")))
        .hasMessageContaining(folder.resolve("none") + " does not exist");
    assertThatThrownBy(() -> SecretFile.read(binary)).hasMessageContaining("is not UTF-8");
    assertThatThrownBy(() -> secret("\n")).hasMessageContaining("is empty");
    assertThatThrownBy(() -> secret("a".repeat(70_000))).hasMessageContaining("64 KiB");
  }
}
