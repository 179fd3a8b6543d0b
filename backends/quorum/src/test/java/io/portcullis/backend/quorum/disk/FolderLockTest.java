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

/** No two processes are one member. */
@Timeout(600)
class FolderLockTest {
  private static final Path LOCKS = Path.of("/proc/locks");

  @TempDir Path data;

  private VoteStore open() throws IOException {
    return VoteStore.open(data, "orders/writer", "a");
  }

  @Test
  void anotherProcessThatHasTheFolderIsNamedByItsPid() throws Exception {
    try (VoteStoreProcess other = VoteStoreProcess.start(data, "hold")) {
      assertThat(other.says()).isEqualTo("open");

      assertThatThrownBy(this::open)
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageContaining("The folder " + data.toRealPath().resolve("orders+writer+a"))
          .hasMessageContaining("another process (pid " + other.pid() + ") with the same member id")
          .hasMessageContaining("stop the other one, or give this one its own quorum.self");
    }
  }

  @Test
  void aProcessThatDiesLeavesTheFolderToTheNext() throws Exception {
    try (VoteStoreProcess other = VoteStoreProcess.start(data, "hold")) {
      assertThat(other.says()).isEqualTo("open");
      other.kill();

      open().close();
    }
  }

  @Test
  void aSecondOpeningInOneProcessIsRefusedAndDoesNotLoosenTheFirst() throws Exception {
    try (VoteStore first = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageContaining("in use by this very process");

      first.save(HardState.BLANK);
      try (VoteStoreProcess other = VoteStoreProcess.start(data, "hold")) {
        assertThat(other.says()).contains("pid " + ProcessHandle.current().pid());
      }
    }
  }

  /** As if the same agent were in the JVM twice, each with classes of its own. */
  @Test
  void alsoByAnotherPathTheFirstKeepsItsLock() throws Exception {
    assumeTrue(Files.isReadable(LOCKS), "needs the kernel's own list of locks");
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
  void whatIsClosedCanBeOpenedAgain() throws IOException {
    for (int i = 0; i < 3; i++) {
      open().close();
    }
  }

  @Test
  void aFailedOpeningLeavesNoLock() throws IOException {
    Path inTheWay = data.resolve("orders+writer+a/ballot.tmp/x");
    Files.createDirectories(inTheWay);
    assertThatThrownBy(this::open).isInstanceOf(UnusableFolderException.class);
    for (Path path : List.of(inTheWay, inTheWay.getParent())) {
      Files.delete(path);
    }

    open().close();
  }

  @Test
  void aFolderThatWasReplacedUnderARunningProcessIsNotWrittenTo() throws IOException {
    try (VoteStore box = open()) {
      Files.move(box.folder(), data.resolve("aside"));
      assertThatThrownBy(() -> box.save(HardState.BLANK)).hasMessageContaining("no longer exists");

      Files.createDirectory(box.folder());
      Files.writeString(box.folder().resolve("lock"), "1\n");

      assertThatThrownBy(() -> box.save(HardState.BLANK)).hasMessageContaining("it was replaced");
      assertThat(box.folder().resolve("ballot")).doesNotExist();
    }
  }
}
