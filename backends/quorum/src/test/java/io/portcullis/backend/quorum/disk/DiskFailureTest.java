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

/** Tests full, read-only and ephemeral file systems, which are really mounted. */
class DiskFailureTest {
  private static final HardState EARLIER = new HardState(6, null, Duration.ofSeconds(10));
  private static final HardState LATER = new HardState(7, "b", Duration.ofSeconds(10));

  @TempDir Path folder;

  private Path createFolder(String name) throws IOException {
    return Files.createDirectory(folder.resolve(name));
  }

  @Test
  void fullDiskKeepsThePreviousVoteUntilThereIsRoom() throws IOException {
    try (FileSystemMount disk = FileSystemMount.at(createFolder("tiny"), "tmpfs", "size=64k");
        VoteStore store = VoteStore.open(disk.mountPoint(), "orders/writer", "a")) {
      store.save(EARLIER);
      Path filler = disk.mountPoint().resolve("filler");
      fill(filler);

      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> store.save(LATER))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(
                "can't be saved in " + store.folder() + ": No space left on device")
            .hasMessageContaining("neither votes nor promises");
        assertThat(store.load()).contains(EARLIER);
      }

      Files.delete(filler);
      store.save(LATER);
      assertThat(store.load()).contains(LATER);
    }
  }

  @Test
  void ballotOnAFullDiskCanBeLoaded() throws IOException {
    try (FileSystemMount disk = FileSystemMount.at(createFolder("tiny"), "tmpfs", "size=64k")) {
      Path place = disk.mountPoint();
      try (VoteStore store = VoteStore.open(place, "orders/writer", "a")) {
        store.save(EARLIER);
      }
      Files.delete(place.resolve("orders+writer+a/lock"));
      fill(place.resolve("filler"));

      try (VoteStore store = VoteStore.open(place, "orders/writer", "a")) {
        assertThat(store.load()).contains(EARLIER);
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
  void readOnlyDiskIsRejectedUntilItIsWritable() throws IOException {
    try (FileSystemMount disk = FileSystemMount.at(createFolder("locked"), "tmpfs", "size=64k")) {
      Path place = disk.mountPoint();
      try (VoteStore store = VoteStore.open(place, "orders/writer", "a")) {
        store.save(EARLIER);
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
      try (VoteStore store = VoteStore.open(place, "orders/writer", "a")) {
        assertThat(store.load()).contains(EARLIER);
        store.save(LATER);
      }
    }
  }

  @Test
  void folderOnTmpfsOrOverlayIsReportedAsEphemeral() throws IOException {
    try (FileSystemMount disk = FileSystemMount.at(createFolder("memory"), "tmpfs", "size=1m")) {
      Path memory = disk.mountPoint();
      try (VoteStore store = VoteStore.open(memory, "orders/writer", "a")) {
        assertThat(store.ephemeral())
            .hasValueSatisfying(
                reason ->
                    assertThat(reason)
                        .contains(store.folder() + " is in memory (tmpfs)")
                        .contains("is lost at a restart; put data-dir on a volume"));
      }
      for (String name : new String[] {"lower", "upper", "work"}) {
        Files.createDirectory(memory.resolve(name));
      }
      String layers =
          "lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work".formatted(memory, memory, memory);
      try (FileSystemMount overlay = FileSystemMount.at(createFolder("layer"), "overlay", layers);
          VoteStore store = VoteStore.open(overlay.mountPoint(), "orders/writer", "a")) {
        assertThat(store.ephemeral()).hasValueSatisfying(why -> assertThat(why).contains("layer"));
      }
    }
  }

  @Test
  void ordinaryFileSystemsAreNotEphemeral() {
    for (String type : new String[] {"ext4", "xfs", "btrfs", "zfs", "nfs4", "apfs", "NTFS"}) {
      assertThat(EphemeralFolderCheck.place(type)).isEmpty();
    }
    assertThat(EphemeralFolderCheck.place("ramfs")).contains("in memory");
    assertThat(EphemeralFolderCheck.place("overlay")).contains("in a container's own layer");
    assertThat(EphemeralFolderCheck.reason(folder.resolve("not-there"))).isEmpty();
  }
}
