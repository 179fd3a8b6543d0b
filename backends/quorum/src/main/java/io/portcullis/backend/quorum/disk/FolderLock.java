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
 * One process's sole right to a folder, until it is closed or the process ends. The file stays: to
 * delete it would let two processes lock two files of one name.
 */
public final class FolderLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final String NAME = "lock";

  /** Far behind the pid, so that it can be read also where a lock forbids to read. */
  private static final long LOCKED_BYTE = 1 << 20;

  private static final String OURSELVES = "this very process";
  private static final int MAX_PID_LENGTH = 20;

  /**
   * The folders this process has, asked before a lock's file is opened: on POSIX systems the
   * process loses its lock as soon as it closes <em>any</em> channel of that file.
   */
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  /**
   * Channels of files that this process has locked by way of another class loader or another path,
   * one for each folder. They stay open for the reason above.
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
   * Takes the folder.
   *
   * @param folder its real path
   * @throws FolderLockedException if somebody has it, also this very process
   */
  static FolderLock take(Path folder) throws IOException {
    if (!OURS.add(folder)) {
      throw inUse(folder, OURSELVES);
    }
    FolderLock taken = null;
    try {
      taken = lock(folder);
      return taken;
    } finally {
      if (taken == null) {
        OURS.remove(folder);
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
      throw inUse(folder, OURSELVES);
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
      // It is for people; a full disk must not keep a member from looking at its ballot.
      LOG.warn("portcullis no pid could be written to {}: {}", folder, IoErrorText.of(e));
    }
  }

  /** The pid of whoever has the lock, if it can be told. */
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
   * Makes sure that the folder is still the one that was locked. Somebody may have removed it under
   * this process, and another process may have made and locked it anew.
   */
  void check() throws IOException {
    if (!channel.isOpen()) {
      throw new IOException("it has been closed");
    }
    if (!Objects.equals(fileKey, key(folder.resolve(NAME)))) {
      throw new IOException("it was replaced while this process used it; start this process again");
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
      LOG.warn("portcullis the lock in {} could not be closed: {}", folder, IoErrorText.of(e));
    } finally {
      OURS.remove(folder);
    }
  }

  /** A folder that another member of this machine, or this process itself, has open. */
  public static final class FolderLockedException extends UnusableFolderException {
    private static final long serialVersionUID = 1L;

    FolderLockedException(String sentence) {
      super(sentence);
    }
  }
}
