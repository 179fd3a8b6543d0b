package io.portcullis.backend.quorum.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.quorum.disk.VoteStore.EphemeralFolderCheck;
import io.portcullis.backend.quorum.disk.VoteStore.UnusableFolderException;
import io.portcullis.backend.quorum.machine.HardState;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File systems that are full, read-only or soon gone, all of them real. */
class DiskFailureTest {
  private static final HardState EARLIER = new HardState(6, null, Duration.ofSeconds(10));
  private static final HardState LATER = new HardState(7, "b", Duration.ofSeconds(10));

  @TempDir Path folder;

  private Path made(String name) throws IOException {
    return Files.createDirectory(folder.resolve(name));
  }

  @Test
  void fullDiskKeepsThePreviousVoteUntilThereIsRoom() throws IOException {
    try (FileSystemMount disk = FileSystemMount.at(made("tiny"), "tmpfs", "size=64k");
        VoteStore box = VoteStore.open(disk.place(), "orders/writer", "a")) {
      box.save(EARLIER);
      Path filler = disk.place().resolve("filler");
      fill(filler);

      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> box.save(LATER))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("can't be saved in " + box.folder() + ": No space left on device")
            .hasMessageContaining("gives no vote");
        assertThat(box.load()).contains(EARLIER);
      }

      Files.delete(filler);
      box.save(LATER);
      assertThat(box.load()).contains(LATER);
    }
  }

  @Test
  void onAFullDiskABallotCanStillBeLookedAt() throws IOException {
    try (FileSystemMount disk = FileSystemMount.at(made("tiny"), "tmpfs", "size=64k")) {
      Path place = disk.place();
      try (VoteStore box = VoteStore.open(place, "orders/writer", "a")) {
        box.save(EARLIER);
      }
      Files.delete(place.resolve("orders+writer+a/lock"));
      fill(place.resolve("filler"));

      try (VoteStore box = VoteStore.open(place, "orders/writer", "a")) {
        assertThat(box.load()).contains(EARLIER);
      }
    }
  }

  private static void fill(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(1);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  @Test
  void aReadOnlyDiskIsRefusedUntilItCanBeWrittenAgain() throws IOException {
    try (FileSystemMount disk = FileSystemMount.at(made("locked"), "tmpfs", "size=64k")) {
      Path place = disk.place();
      try (VoteStore box = VoteStore.open(place, "orders/writer", "a")) {
        box.save(EARLIER);
      }
      disk.remount("ro");

      assertThatThrownBy(() -> VoteStore.open(place, "orders/writer", "a"))
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageContaining("The folder " + place + "/orders+writer+a can't be used")
          .hasMessageContaining("Read-only file system")
          .hasMessageContaining("quorum.data-dir");
      assertThatThrownBy(() -> VoteStore.open(place, "orders/reader", "a"))
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageContaining("Read-only file system");

      disk.remount("rw");
      try (VoteStore box = VoteStore.open(place, "orders/writer", "a")) {
        assertThat(box.load()).contains(EARLIER);
        box.save(LATER);
      }
    }
  }

  @Test
  void aFolderInMemoryOrInAContainersLayerIsToldToBeLostAtARestart() throws IOException {
    try (FileSystemMount disk = FileSystemMount.at(made("memory"), "tmpfs", "size=1m")) {
      Path memory = disk.place();
      try (VoteStore box = VoteStore.open(memory, "orders/writer", "a")) {
        assertThat(box.ephemeral())
            .hasValueSatisfying(
                reason ->
                    assertThat(reason)
                        .contains(box.folder() + " is in memory (tmpfs)")
                        .contains("is lost at a restart; put data-dir on a volume"));
      }
      for (String name : new String[] {"lower", "upper", "work"}) {
        Files.createDirectory(memory.resolve(name));
      }
      String layers =
          "lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work".formatted(memory, memory, memory);
      try (FileSystemMount overlay = FileSystemMount.at(made("layer"), "overlay", layers);
          VoteStore box = VoteStore.open(overlay.place(), "orders/writer", "a")) {
        assertThat(box.ephemeral()).hasValueSatisfying(why -> assertThat(why).contains("layer"));
      }
    }
  }

  @Test
  void ordinaryDisksAndVolumesStay() {
    for (String type : new String[] {"ext4", "xfs", "btrfs", "zfs", "nfs4", "apfs", "NTFS"}) {
      assertThat(EphemeralFolderCheck.place(type)).isEmpty();
    }
    assertThat(EphemeralFolderCheck.place("ramfs")).contains("in memory");
    assertThat(EphemeralFolderCheck.place("overlay")).contains("in a container's own layer");
    assertThat(EphemeralFolderCheck.reason(folder.resolve("not-there"))).isEmpty();
  }
}
