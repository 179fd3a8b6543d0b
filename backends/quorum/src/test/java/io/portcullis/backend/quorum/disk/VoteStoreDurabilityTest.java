package io.portcullis.backend.quorum.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.quorum.disk.VoteStore.FileReplacer;
import io.portcullis.backend.quorum.disk.VoteStore.LocalFileReplacer;
import io.portcullis.backend.quorum.machine.HardState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the order of the steps of a save, and the content of the folder if a step fails. */
class VoteStoreDurabilityTest {
  private static final HardState EARLIER = new HardState(6, null, Duration.ofSeconds(10));
  private static final HardState LATER = new HardState(7, "b", Duration.ofSeconds(10));

  @TempDir Path data;

  private final List<String> steps = new ArrayList<>();
  private int failingStep = -1;

  private VoteStore open() throws IOException {
    return VoteStore.open(data.resolve("made"), "orders/writer", "a", new FailingFileReplacer());
  }

  @Test
  void saveSyncsTheFileThenRenamesThenSyncsTheFolder() throws IOException {
    try (VoteStore store = open()) {
      steps.clear();
      store.save(LATER);
    }

    assertThat(steps)
        .containsExactly("write ballot.tmp", "rename ballot.tmp ballot", "sync orders+writer+a");
  }

  @Test
  void newFolderAndItsParentsAreSynced() throws IOException {
    open().close();

    assertThat(steps)
        .containsSubsequence("sync " + data.getFileName(), "sync made", "sync orders+writer+a");
  }

  @Test
  void existingFoldersParentIsSynced() throws IOException {
    Files.createDirectories(data.resolve("made/orders+writer+a"));

    open().close();

    assertThat(steps).contains("sync made");
  }

  @Test
  void failedSaveLeavesTheOldOrTheNewBallot() throws IOException {
    for (int step = 0; step < 3; step++) {
      try (VoteStore store = open()) {
        store.save(EARLIER);
        steps.clear();
        failingStep = step;

        assertThatThrownBy(() -> store.save(LATER))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("can't be saved in " + store.folder() + ": step fails.");

        Optional<HardState> left = store.load();
        assertThat(left).contains(step < 2 ? EARLIER : LATER);
        failingStep = -1;
        store.save(LATER);
        assertThat(store.load()).contains(LATER);
      }
    }
  }

  /** Records and performs each step; fails before step {@code failingStep}. */
  private final class FailingFileReplacer implements FileReplacer {
    private final FileReplacer real = new LocalFileReplacer();

    private void step(String what) throws IOException {
      if (steps.size() == failingStep) {
        throw new IOException("step fails");
      }
      steps.add(what);
    }

    @Override
    public void write(Path file, byte[] content) throws IOException {
      step("write " + file.getFileName());
      real.write(file, content);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      step("rename " + from.getFileName() + " " + to.getFileName());
      real.rename(from, to);
    }

    @Override
    public void sync(Path folder) throws IOException {
      step("sync " + folder.getFileName());
      real.sync(folder);
    }
  }
}
