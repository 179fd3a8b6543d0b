package io.portcullis.agent.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks now and then whether the configuration's files have changed, and has them read again. Their
 * contents are compared, not their times: a file may be replaced by one with the same time. A
 * change is taken up once it has been seen twice, so that a file that is just being written is left
 * alone. One that would disarm a rule waits for an order, see {@link ConfigReloader}.
 */
final class ConfigFileWatcher implements Runnable {
  static final Duration INTERVAL = Duration.ofSeconds(2);

  /** More is not read of a file; the configuration's reader allows no more either. */
  private static final int MAX_BYTES = 1024 * 1024;

  private final ConfigReloader reload;

  /** The contents by which the rules in force were read. */
  private Map<Path, String> taken;

  /** The contents that were last given to the reload, whether they were taken up or not. */
  private Map<Path, String> read;

  private Map<Path, String> seen;

  ConfigFileWatcher(ConfigReloader reload) {
    this.reload = reload;
    this.taken = contents();
    this.read = taken;
    this.seen = taken;
  }

  @Override
  public void run() {
    Map<Path, String> now = contents();
    boolean settled = now.equals(seen);
    seen = now;
    if (settled && !now.equals(read)) {
      read = now;
      reload.afterChangeOf(changedSince(taken, now));
    }
    if (now.equals(read) && reload.pending() == null) {
      taken = now;
    }
  }

  /** A file that is no longer included has changed too. */
  private static List<Path> changedSince(Map<Path, String> before, Map<Path, String> now) {
    Set<Path> files = new TreeSet<>(before.keySet());
    files.addAll(now.keySet());
    return files.stream().filter(file -> !Objects.equals(before.get(file), now.get(file))).toList();
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
      byte[] bytes = in.readNBytes(MAX_BYTES);
      return bytes.length + " bytes " + Arrays.hashCode(bytes);
    } catch (IOException e) {
      return e.getClass().getName();
    }
  }
}
