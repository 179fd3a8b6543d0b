package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuorumMembersTest {
  private static final List<String> NODES = List.of("a", "b", "c");

  @TempDir private Path folder;

  @Test
  void settingsListAllMembersAndTheNodeItself() {
    QuorumMembers members = new QuorumMembers(Map.of("b", 7401), folder);

    assertThat(members.settings("b"))
        .startsWith("quorum { self = b, members { b = \"127.0.0.1:7401\" }, ");
  }

  @Test
  void everyMemberHasItsOwnPort() throws IOException {
    QuorumMembers members = QuorumMembers.of(NODES, folder);

    assertThat(members.ports()).containsOnlyKeys(NODES);
    assertThat(members.ports().values()).doesNotHaveDuplicates();
  }

  @Test
  void membersShareASecretThatIsNewInEachRun() throws IOException {
    String settings = QuorumMembers.of(NODES, folder).settings("a");
    String secret = Files.readString(folder.resolve("secret"));
    QuorumMembers.of(NODES, folder);

    assertThat(settings).contains("secret-file = \"" + folder.resolve("secret") + "\"");
    assertThat(secret).hasSizeGreaterThanOrEqualTo(16);
    assertThat(folder.resolve("secret")).content().isNotEqualTo(secret);
  }

  @Test
  void membersHaveDifferentDataFolders() {
    QuorumMembers members = new QuorumMembers(Map.of("a", 7400, "b", 7401), folder);

    assertThat(members.settings("a")).contains("data-dir = \"" + folder.resolve("votes-of-a"));
    assertThat(members.settings("b")).contains("data-dir = \"" + folder.resolve("votes-of-b"));
  }
}
