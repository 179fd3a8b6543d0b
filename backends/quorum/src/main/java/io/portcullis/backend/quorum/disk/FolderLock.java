package io.portcullis.backend.quorum.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.portcullis.backend.quorum.disk.VoteStore.IoErrorText;
import io.portcullis.backend.quorum.disk.VoteStore.UnusableFolderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exclusive lock of this process on a folder, until it is closed or the process ends. The lock
 * file is never deleted: otherwise two processes could lock two files of the same name.
 */
public final class FolderLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final String NAME = "lock";

  /** Far behind the pid, so that the pid can be read where a lock prevents reading. */
  private static final long LOCKED_BYTE = 1 << 20;

  private static final String THIS_PROCESS = "this very process";
  private static final int MAX_PID_LENGTH = 20;

  /**
   * The folders that this process has locked, checked before a lock file is opened: on POSIX
   * systems a process loses its lock as soon as it closes <em>any</em> channel of that file.
   */
  private static final Set<Path> LOCKED_FOLDERS = ConcurrentHashMap.newKeySet();

  /**
   * Channels of files that this process has locked through another class loader or another path,
   * one per folder. They stay open for the reason above.
   */
  private static final Map<Path, FileChannel> NEVER_CLOSED = new ConcurrentHashMap<>();

  private final Path folder;
  private final FileChannel channel;
  private final @Nullable Object fileKey;

  private FolderLock(Path folder, FileChannel channel, @Nullable Object fileKey) {
    this.folder = folder;
    this.channel = channel;
    this.fileKey = fileKey;
  }

  /**
   * Locks the folder.
   *
   * @param folder its real path
   * @throws FolderLockedException if another process, or this one, has locked it
   */
  static FolderLock take(Path folder) throws IOException {
    if (!LOCKED_FOLDERS.add(folder)) {
      throw inUse(folder, THIS_PROCESS);
    }
    FolderLock taken = null;
    try {
      taken = lock(folder);
      return taken;
    } finally {
      if (taken == null) {
        LOCKED_FOLDERS.remove(folder);
      }
    }
  }

  private static FolderLock lock(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    FileChannel channel = NEVER_CLOSED.remove(folder);
    if (channel == null) {
      channel = FileChannel.open(file, CREATE, READ, WRITE);
    }
    boolean locked = false;
    try {
      if (channel.tryLock(LOCKED_BYTE, 1, false) != null) {
        FolderLock lock = new FolderLock(folder, channel, key(file));
        locked = true;
        writePid(folder, channel);
        return lock;
      }
      throw inUse(folder, "another process" + pid(channel));
    } catch (OverlappingFileLockException e) {
      NEVER_CLOSED.put(folder, channel);
      locked = true;
      throw inUse(folder, THIS_PROCESS);
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  private static FolderLockedException inUse(Path folder, String who) {
    return new FolderLockedException(
        "The folder "
            + folder
            + " is in use by "
            + who
            + " with the same member id. Two processes that vote as one member could elect two"
            + " leaders: stop the other one, or give this one its own quorum.self.");
  }

  private static void writePid(Path folder, FileChannel channel) {
    try {
      channel.truncate(0);
      channel.write(US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
    } catch (IOException e) {
      // The pid is informational; a full disk must not prevent a member from reading its ballot.
      LOG.warn("portcullis can't write its pid to {}: {}", folder, IoErrorText.of(e));
    }
  }

  /** Returns the pid of the process that has the lock; empty if it is unknown. */
  private static String pid(FileChannel channel) throws IOException {
    ByteBuffer written = ByteBuffer.allocate(MAX_PID_LENGTH);
    channel.read(written, 0);
    String pid = US_ASCII.decode(written.flip()).toString().strip();
    return pid.matches("[0-9]+") ? " (pid " + pid + ")" : "";
  }

  private static @Nullable Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /**
   * Checks that the folder is still the one that was locked. It may have been removed while this
   * process used it, and another process may have created and locked a new one.
   */
  void check() throws IOException {
    if (!channel.isOpen()) {
      throw new IOException("it has been closed");
    }
    if (!Objects.equals(fileKey, key(folder.resolve(NAME)))) {
      throw new IOException("it was replaced while this process used it; restart this process");
    }
  }

  @Override
  public void close() {
    if (!channel.isOpen()) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("portcullis can't close the lock in {}: {}", folder, IoErrorText.of(e));
    } finally {
      LOCKED_FOLDERS.remove(folder);
    }
  }

  /** Thrown if another process on this machine, or this process itself, has locked the folder. */
  public static final class FolderLockedException extends UnusableFolderException {
    private static final long serialVersionUID = 1L;

    FolderLockedException(String message) {
      super(message);
    }
  }
}
