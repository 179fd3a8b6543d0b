package io.portcullis.backend.quorum.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Traces the system calls of a save: only they show that it waits for the disk. */
@Timeout(600)
class VoteStoreSystemCallsTest {
  @TempDir Path folder;

  @Test
  void saveCallsFsyncThenRenameThenFsyncOfTheFolder() throws Exception {
    Path trace = folder.resolve("trace");
    assumeTrue(canTrace(), "needs strace and the right to use it");

    List<String> strace =
        List.of("strace", "-f", "-y", "-e", "trace=fsync,rename,renameat2", "-o", trace.toString());
    try (VoteStoreProcess traced = VoteStoreProcess.start(strace, folder.resolve("data"), "save")) {
      assertThat(traced.readLine()).isEqualTo("open");
      assertThat(traced.readLine()).isNull();
    }

    String storeFolder = Pattern.quote(folder.toRealPath() + "/data/orders+writer+a");
    assertThat(Files.readString(trace))
        .containsPattern(
            Pattern.compile(
                "fsync\\(\\d+<"
                    + storeFolder
                    + "/ballot\\.tmp>\\)\\s+= 0\n"
                    + ".*rename[^\n]*/ballot\\.tmp\", [^\n]*/ballot\"[^\n]*= 0\n"
                    + ".*fsync\\(\\d+<"
                    + storeFolder
                    + ">\\)\\s+= 0"));
  }

  private static boolean canTrace() throws InterruptedException {
    try {
      return new ProcessBuilder("strace", "-o", "/dev/null", "true").start().waitFor() == 0;
    } catch (IOException e) {
      return false; // The command does not exist.
    }
  }
}
