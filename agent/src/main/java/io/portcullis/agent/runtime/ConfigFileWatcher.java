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
 * Polls the configuration files and triggers a reload when they change. Contents are compared, not
 * modification times: a file may be replaced by one with the same time. A change is applied only if
 * two successive polls see the same contents, so that files are not read while they are written. A
 * change that would disarm a rule waits for an admin command, see {@link ConfigReloader}.
 */
final class ConfigFileWatcher implements Runnable {
  static final Duration INTERVAL = Duration.ofSeconds(2);

  /** Maximum number of bytes read per file, the same limit as the configuration reader's. */
  private static final int MAX_BYTES = 1024 * 1024;

  private final ConfigReloader reload;

  /** The contents from which the rules in force were read. */
  private Map<Path, String> applied;

  /** The contents that last triggered a reload, whether they were applied or not. */
  private Map<Path, String> read;

  private Map<Path, String> seen;

  ConfigFileWatcher(ConfigReloader reload) {
    this.reload = reload;
    this.applied = contents();
    this.read = applied;
    this.seen = applied;
  }

  @Override
  public void run() {
    Map<Path, String> now = contents();
    boolean stable = now.equals(seen);
    seen = now;
    if (stable && !now.equals(read)) {
      read = now;
      reload.afterChangeOf(changedSince(applied, now));
    }
    if (now.equals(read) && reload.pending() == null) {
      applied = now;
    }
  }

  /** Lists changed files, including those that are no longer part of the configuration. */
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

  /** Fingerprint of a file. An unreadable file counts as changed: the reload reports the error. */
  private static String content(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES);
      return bytes.length + " bytes " + Arrays.hashCode(bytes);
    } catch (IOException e) {
      return e.getClass().getName();
    }
  }
}
