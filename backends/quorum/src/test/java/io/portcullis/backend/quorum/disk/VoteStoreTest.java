package io.portcullis.backend.quorum.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.quorum.disk.VoteStore.CorruptVoteFileException;
import io.portcullis.backend.quorum.disk.VoteStore.UnusableFolderException;
import io.portcullis.backend.quorum.machine.HardState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the store loads what was saved, or fails with the reason. */
class VoteStoreTest {
  private static final HardState EARLIER = new HardState(6, null, Duration.ofSeconds(10));
  private static final HardState LATER = new HardState(7, "b", Duration.ofSeconds(10));

  @TempDir Path data;

  private VoteStore open() throws IOException {
    return VoteStore.open(data, "orders/writer", "a");
  }

  private Path folder() {
    return data.resolve("orders+writer+a");
  }

  @Test
  void newFolderHasNoBallot() throws IOException {
    try (VoteStore store = VoteStore.open(data.resolve("not/yet/made"), "orders/writer", "a")) {
      assertThat(store.load()).isEmpty();
      assertThat(store.folder()).isDirectory();
    }
  }

  @Test
  void lastSavedBallotIsLoaded() throws IOException {
    try (VoteStore store = open()) {
      store.save(EARLIER);
      store.save(LATER);
      assertThat(store.load()).contains(LATER);
    }
    try (VoteStore store = open()) {
      assertThat(store.load()).contains(LATER);
    }
  }

  @Test
  void unfinishedSaveLeavesTheEarlierBallot() throws IOException {
    try (VoteStore store = open()) {
      store.save(EARLIER);
    }
    byte[] whole = new VoteFileFormat("orders/writer", "a").encode(LATER);
    for (int length = 0; length <= whole.length; length++) {
      Files.write(folder().resolve("ballot.tmp"), Arrays.copyOf(whole, length));

      try (VoteStore store = open()) {
        assertThat(store.load()).contains(EARLIER);
        assertThat(folder().resolve("ballot.tmp")).doesNotExist();
      }
    }
  }

  @Test
  void unfinishedFirstSaveIsNotABallot() throws IOException {
    Files.createDirectories(folder());
    Files.writeString(folder().resolve("ballot.tmp"), "portcullis-bal");

    try (VoteStore store = open()) {
      assertThat(store.load()).isEmpty();
      store.save(LATER);
      assertThat(store.load()).contains(LATER);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', is cut off",
    "portcullis-ballot 1, has no checksum at its end",
    "nonsense, has no line"
  })
  void corruptFileIsNotTreatedAsMissing(String content, String why) throws IOException {
    Files.createDirectories(folder());
    Files.writeString(folder().resolve("ballot"), content);

    try (VoteStore store = open()) {
      assertThatThrownBy(store::load)
          .isInstanceOf(CorruptVoteFileException.class)
          .hasMessageContaining(folder().toRealPath() + "/ballot " + why)
          .hasMessageContaining("without a restart")
          .hasMessageContaining("waits a lease and recovers from the others");
    }
  }

  @Test
  void fileOfAnotherMemberOrClusterIsRejected() throws IOException {
    Files.createDirectories(folder());
    Files.write(folder().resolve("ballot"), new VoteFileFormat("orders/writer", "b").encode(LATER));
    try (VoteStore store = open()) {
      assertThatThrownBy(store::load)
          .isInstanceOf(CorruptVoteFileException.class)
          .hasMessageContaining("belongs to member b, and this is a")
          .hasMessageContaining("quorum.data-dir");
    }

    Files.write(folder().resolve("ballot"), new VoteFileFormat("bills/writer", "a").encode(LATER));
    try (VoteStore store = open()) {
      assertThatThrownBy(store::load)
          .isInstanceOf(CorruptVoteFileException.class)
          .hasMessageContaining("belongs to cluster bills/writer");
    }
  }

  @Test
  void unreadableFileIsNotTreatedAsMissing() throws IOException {
    Files.createDirectories(folder().resolve("ballot"));
    try (VoteStore store = open()) {
      assertThatThrownBy(store::load)
          .isInstanceOf(CorruptVoteFileException.class)
          .hasMessageContaining("is not a regular file");
    }
    Files.delete(folder().resolve("ballot"));
    Files.createSymbolicLink(folder().resolve("ballot"), data.resolve("not-mounted"));
    try (VoteStore store = open()) {
      assertThatThrownBy(store::load).isInstanceOf(CorruptVoteFileException.class);
    }
  }

  @Test
  void overlongFileIsRejected() throws IOException {
    Files.createDirectories(folder());
    Files.writeString(folder().resolve("ballot"), "x".repeat(1 << 20), UTF_8);

    try (VoteStore store = open()) {
      assertThatThrownBy(store::load).hasMessageContaining("is far too long");
    }
  }

  @Test
  void fileInPlaceOfTheFolderIsReported() throws IOException {
    Path file = Files.writeString(data.resolve("file"), "x");

    for (Path place : new Path[] {file, file.resolve("below")}) {
      assertThatThrownBy(() -> VoteStore.open(place, "orders/writer", "a"))
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageStartingWith("The folder " + place + "/orders+writer+a can't be used")
          .hasMessageContaining("quorum.data-dir");
    }
  }

  @Test
  void idsCannotEscapeTheDataFolder() throws IOException {
    try (VoteStore store = VoteStore.open(data, "../..", "..")) {
      assertThat(store.folder().getParent()).isEqualTo(data.toRealPath());
    }
    assertThatThrownBy(() -> VoteStore.open(data, "orders/writer", "../x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> VoteStore.open(data, "orders", "writer"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void membersInOneDataFolderHaveSeparateFolders() throws IOException {
    try (VoteStore a = open();
        VoteStore b = VoteStore.open(data, "orders/writer", "b")) {
      a.save(LATER);

      assertThat(b.load()).isEmpty();
    }
  }

  @Test
  void closedStoreRejectsSaveAndLoad() throws IOException {
    VoteStore store = open();
    store.close();
    store.close();

    assertThatThrownBy(() -> store.save(LATER)).hasMessageContaining("it has been closed");
    assertThatThrownBy(store::load).hasMessageContaining("it has been closed");
  }
}
