package io.portcullis.agent.start;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Looks now and then whether the configuration's files have changed, and has them read again. Their
 * contents are compared, not their times: whoever replaces a file may keep its time. A change is
 * taken up once it has been seen twice, so that a file that is just being written is left alone.
 */
final class FileWatch implements Runnable {
  static final Duration PAUSE = Duration.ofSeconds(2);

  /** More is not read of a file; the configuration's reader allows no more either. */
  private static final int MOST_BYTES = 1024 * 1024;

  private final Reload reload;
  private Map<Path, String> read;
  private Map<Path, String> seen;

  FileWatch(Reload reload) {
    this.reload = reload;
    this.read = contents();
    this.seen = read;
  }

  @Override
  public void run() {
    Map<Path, String> now = contents();
    boolean settled = now.equals(seen);
    seen = now;
    if (settled && !now.equals(read)) {
      read = now;
      reload.now();
    }
  }

  private Map<Path, String> contents() {
    Map<Path, String> contents = new HashMap<>();
    for (Path file : reload.files()) {
      contents.put(file, content(file));
    }
    return contents;
  }

  /** A file that can't be read is a change too: the reader will say what is wrong. */
  private static String content(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES);
      return bytes.length + " bytes " + Arrays.hashCode(bytes);
    } catch (IOException e) {
      return e.getClass().getName();
    }
  }
}
