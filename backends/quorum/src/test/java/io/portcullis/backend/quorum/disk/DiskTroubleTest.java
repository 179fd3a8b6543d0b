package io.portcullis.backend.quorum.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.quorum.machine.Ballot;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File systems that are full, read-only or soon gone, all of them real. */
class DiskTroubleTest {
  private static final Ballot EARLIER = new Ballot(6, null, Duration.ofSeconds(10));
  private static final Ballot LATER = new Ballot(7, "b", Duration.ofSeconds(10));

  @TempDir Path folder;

  private Path made(String name) throws IOException {
    return Files.createDirectory(folder.resolve(name));
  }

  @Test
  void aFullDiskFailsTheSaveKeepsTheBallotBeforeItAndIsForgottenOnceThereIsRoom()
      throws IOException {
    try (Mount disk = Mount.at(made("tiny"), "tmpfs", "size=64k");
        BallotBox box = BallotBox.open(disk.place(), "orders/writer", "a")) {
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
    try (Mount disk = Mount.at(made("tiny"), "tmpfs", "size=64k")) {
      Path place = disk.place();
      try (BallotBox box = BallotBox.open(place, "orders/writer", "a")) {
        box.save(EARLIER);
      }
      Files.delete(place.resolve("orders+writer+a/lock"));
      fill(place.resolve("filler"));

      try (BallotBox box = BallotBox.open(place, "orders/writer", "a")) {
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
    try (Mount disk = Mount.at(made("locked"), "tmpfs", "size=64k")) {
      Path place = disk.place();
      try (BallotBox box = BallotBox.open(place, "orders/writer", "a")) {
        box.save(EARLIER);
      }
      disk.remount("ro");

      assertThatThrownBy(() -> BallotBox.open(place, "orders/writer", "a"))
          .isInstanceOf(UnusableFolder.class)
          .hasMessageContaining("The folder " + place + "/orders+writer+a can't be used")
          .hasMessageContaining("Read-only file system")
          .hasMessageContaining("quorum.data-dir");
      assertThatThrownBy(() -> BallotBox.open(place, "orders/reader", "a"))
          .isInstanceOf(UnusableFolder.class)
          .hasMessageContaining("Read-only file system");

      disk.remount("rw");
      try (BallotBox box = BallotBox.open(place, "orders/writer", "a")) {
        assertThat(box.load()).contains(EARLIER);
        box.save(LATER);
      }
    }
  }

  @Test
  void aFolderInMemoryOrInAContainersLayerIsToldToBeLostAtARestart() throws IOException {
    try (Mount disk = Mount.at(made("memory"), "tmpfs", "size=1m")) {
      Path memory = disk.place();
      try (BallotBox box = BallotBox.open(memory, "orders/writer", "a")) {
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
      try (Mount overlay = Mount.at(made("layer"), "overlay", layers);
          BallotBox box = BallotBox.open(overlay.place(), "orders/writer", "a")) {
        assertThat(box.ephemeral()).hasValueSatisfying(why -> assertThat(why).contains("layer"));
      }
    }
  }

  @Test
  void ordinaryDisksAndVolumesStay() {
    for (String type : new String[] {"ext4", "xfs", "btrfs", "zfs", "nfs4", "apfs", "NTFS"}) {
      assertThat(Ephemeral.place(type)).isEmpty();
    }
    assertThat(Ephemeral.place("ramfs")).contains("in memory");
    assertThat(Ephemeral.place("overlay")).contains("in a container's own layer");
    assertThat(Ephemeral.reason(folder.resolve("not-there"))).isEmpty();
  }
}
