package io.portcullis.backend.quorum.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.backend.quorum.disk.VoteStore.UnusableFolderException;
import io.portcullis.backend.quorum.machine.HardState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the lock of a folder keeps a second process of a member out. */
@Timeout(600)
class FolderLockTest {
  private static final Path LOCKS = Path.of("/proc/locks");

  @TempDir Path data;

  private VoteStore open() throws IOException {
    return VoteStore.open(data, "orders/writer", "a");
  }

  @Test
  void lockedFolderIsReportedWithThePidOfItsOwner() throws Exception {
    try (VoteStoreProcess other = VoteStoreProcess.start(data, "hold")) {
      assertThat(other.readLine()).isEqualTo("open");

      assertThatThrownBy(this::open)
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageContaining("The folder " + data.toRealPath().resolve("orders+writer+a"))
          .hasMessageContaining("another process (pid " + other.pid() + ") with the same member id")
          .hasMessageContaining("stop the other one, or give this one its own quorum.self");
    }
  }

  @Test
  void lockIsFreeAfterItsProcessWasKilled() throws Exception {
    try (VoteStoreProcess other = VoteStoreProcess.start(data, "hold")) {
      assertThat(other.readLine()).isEqualTo("open");
      other.kill();

      open().close();
    }
  }

  @Test
  void secondOpenInOneProcessFailsAndKeepsTheFirstLock() throws Exception {
    try (VoteStore first = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageContaining("in use by this very process");

      first.save(HardState.BLANK);
      try (VoteStoreProcess other = VoteStoreProcess.start(data, "hold")) {
        assertThat(other.readLine()).contains("pid " + ProcessHandle.current().pid());
      }
    }
  }

  /** As if the agent were loaded twice in one JVM, by two class loaders. */
  @Test
  void openByAnotherPathFailsAndKeepsTheFirstLock() throws Exception {
    assumeTrue(Files.isReadable(LOCKS), "needs /proc/locks");
    Path real = Files.createDirectory(data.resolve("real"));
    FolderLock first = FolderLock.take(real);
    Path alias = Files.createSymbolicLink(data.resolve("alias"), real);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> FolderLock.take(alias))
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageContaining("in use by this very process");
    }
    first.check();
    assertThat(locksOfThisProcess(real.resolve("lock"))).isEqualTo(1);

    first.close();
    FolderLock.take(alias).close();
    assertThat(locksOfThisProcess(real.resolve("lock"))).isZero();
  }

  private static long locksOfThisProcess(Path file) throws IOException {
    String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
    String pid = " " + ProcessHandle.current().pid() + " ";
    try (Stream<String> locks = Files.lines(LOCKS)) {
      return locks.filter(line -> line.contains(inode) && line.contains(pid)).count();
    }
  }

  @Test
  void closedFolderCanBeOpenedAgain() throws IOException {
    for (int i = 0; i < 3; i++) {
      open().close();
    }
  }

  @Test
  void failedOpenLeavesNoLock() throws IOException {
    Path inTheWay = data.resolve("orders+writer+a/ballot.tmp/x");
    Files.createDirectories(inTheWay);
    assertThatThrownBy(this::open).isInstanceOf(UnusableFolderException.class);
    for (Path path : List.of(inTheWay, inTheWay.getParent())) {
      Files.delete(path);
    }

    open().close();
  }

  @Test
  void replacedFolderIsNotWrittenTo() throws IOException {
    try (VoteStore store = open()) {
      Files.move(store.folder(), data.resolve("aside"));
      assertThatThrownBy(() -> store.save(HardState.BLANK))
          .hasMessageContaining("no longer exists");

      Files.createDirectory(store.folder());
      Files.writeString(store.folder().resolve("lock"), "1\n");

      assertThatThrownBy(() -> store.save(HardState.BLANK)).hasMessageContaining("it was replaced");
      assertThat(store.folder().resolve("ballot")).doesNotExist();
    }
  }
}
